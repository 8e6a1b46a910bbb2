// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The order in which a plan calls its steps, so that units in other processes render at the same time. Control thread.

/// One call of a step.
struct StepPart: Hashable {
    enum Kind {
        /// All of the step.
        case whole
        /// The three parts of a `ConcurrentNode`.
        case beginning, waiting, completion
    }

    /// The step's index, in the order of adding.
    let step: Int
    let kind: Kind
    /// For steps that begin together, the index after the last one's completion; for others the index after
    /// this call.
    var end: Int
}

/// The calls of a plan.
///
/// Every step comes after those that write what it reads. The writers of one signal keep their order, so that a
/// sum stays the same to the last bit.
struct StepOrder {
    private(set) var parts: [StepPart] = []
    private let steps: [RenderPlanBuilder.Step]
    /// The steps of each signal that have not written it yet.
    private var writerCounts: [Int: Int] = [:]
    /// The indices in `parts` of beginnings that have not been completed.
    private var open: [Int] = []

    init(_ steps: [RenderPlanBuilder.Step]) {
        self.steps = steps
        for step in steps { writerCounts[step.output, default: 0] += 1 }
        var rest = Array(steps.indices)
        while !rest.isEmpty {
            let later = addAll(of: rest)
            // The steps left over read what has only begun.
            if later.count == rest.count { complete() }
            rest = later
        }
        complete()
    }

    /// Adds those of `indices` whose inputs are complete, and returns the others.
    private mutating func addAll(of indices: [Int]) -> [Int] {
        var later: [Int] = []
        var awaited: Set<Int> = []
        for index in indices {
            let step = steps[index]
            guard isComplete(step.input), !awaited.contains(step.output) else {
                later.append(index)
                awaited.insert(step.output)
                continue
            }
            if step.node is any ConcurrentNode {
                open.append(parts.count)
                add(index, .beginning)
            } else {
                add(index, .whole)
                writerCounts[step.output, default: 0] -= 1
            }
        }
        return later
    }

    private func isComplete(_ signal: Int?) -> Bool { signal.map { writerCounts[$0, default: 0] == 0 } ?? true }

    /// Waits for what has begun and completes it.
    ///
    /// A single step is called once, as a whole.
    private mutating func complete() {
        let begun = open.map { parts[$0].step }
        if begun.count == 1 {
            parts[open[0]] = StepPart(step: begun[0], kind: .whole, end: open[0] + 1)
        } else {
            for index in begun.reversed() { add(index, .waiting) }
            for index in begun { add(index, .completion) }
            for place in open { parts[place].end = parts.count }
        }
        for index in begun { writerCounts[steps[index].output, default: 0] -= 1 }
        open = []
    }

    private mutating func add(_ step: Int, _ kind: StepPart.Kind) {
        parts.append(StepPart(step: step, kind: kind, end: parts.count + 1))
    }
}
