// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The order in which a plan calls its steps: what can render at the same time begins together, and no step reads a signal
// before it exists. Test thread.

import Realtime
import Testing

@testable import Rendering

@Suite struct StepOrderTests {
    private var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)

    /// A letter for each call: `b`egins, `w`aits, `c`ompletes, or the w`h`ole; with the step's number.
    private var order: String {
        StepOrder(builder.steps).parts.map { part in
            switch part.kind {
            case .beginning: "b\(part.step)"
            case .waiting: "w\(part.step)"
            case .completion: "c\(part.step)"
            case .whole: "h\(part.step)"
            }
        }.joined(separator: " ")
    }

    @Test mutating func aLoneChainIsCalledOnce() {
        _ = builder.add(Others(), after: builder.add(source: Constant(1)))
        #expect(order == "h0 h1")
    }

    @Test mutating func chainsInARowFollowEachOther() {
        let first = builder.add(source: Others())
        _ = builder.add(Others(), after: builder.add(Constant(1), after: first))
        #expect(order == "h0 h1 h2")
    }

    /// The last one that begins is waited for first: where they share a processor, all others are done by then.
    @Test mutating func branchesBeginTogetherAndAreWaitedForFromTheLast() {
        let signals = (0..<3).map { _ in builder.add(Others(), after: builder.add(source: Constant(1))) }
        _ = builder.add(Constant(1), after: builder.add(Mixer(inputCount: 3), of: signals))
        #expect(order == "h0 b1 h2 b3 h4 b5 w5 w3 w1 c1 c3 c5 h6 h7 h8 h9")
        let parts = StepOrder(builder.steps).parts
        #expect(parts[1].end == 12 && parts[3].end == 12 && parts[5].end == 12)
        #expect(parts.indices.filter { parts[$0].kind != .beginning }.allSatisfy { parts[$0].end == $0 + 1 })
    }

    @Test mutating func tracksOfSeveralChainsAdvanceTogether() {
        let ends = (0..<2).map { _ in
            let first = builder.add(source: Others())
            return builder.add(Others(), after: builder.add(Constant(1), after: first))
        }
        _ = builder.add(Mixer(inputCount: 2), of: ends)
        #expect(order == "b0 b3 w3 w0 c0 c3 h1 b2 h4 b5 w5 w2 c2 c5 h6 h7")
    }

    /// Signals are added in the order in which they were mixed, not in the order in which they arrive.
    @Test mutating func aMixersStripsKeepTheirOrder() {
        let late = builder.add(source: Others())
        let other = builder.add(source: Others())
        let early = builder.add(source: Constant(1))
        _ = builder.add(Mixer(inputCount: 3), of: [early, late, other])
        #expect(order == "b0 b1 h2 h3 w1 w0 c0 c1 h4 h5")
        builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let chain = builder.add(source: Others())
        _ = builder.add(Mixer(inputCount: 2), of: [chain, builder.add(source: Constant(1))])
        #expect(order == "h0 h1 h2 h3")
    }

    @Test mutating func whatIsRenderedIsWhatWasAdded() {
        let nodes = (1...3).map { _ in Others() }
        let signals = nodes.map { builder.add($0, after: builder.add(source: Constant(0.25))) }
        let player = PlanPlayer()
        player.play(builder.plan(output: builder.add(Mixer(inputCount: 3), of: signals)))
        var driver = OfflineDriver(player: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        for _ in 0..<2 { #expect(driver.render(frameCount: 64)[0][63] == 1.5) }
        #expect(nodes.map(\.calls) == [[1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3]])
    }
}

/// Doubles its input as of its beginning, as if other threads did the work; and records its calls.
private final class Others: ConcurrentNode {
    private struct Core {
        var value: Float = 0
        var calls: UnsafeMutablePointer<Int>
        var callCount = 0

        mutating func note(_ call: Int) {
            calls[callCount] = call
            callCount += 1
        }
    }

    // SAFETY: used by one thread at a time.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(calls: .allocate(capacity: 64)))
    }

    deinit {
        core.pointee.calls.deallocate()
        core.deallocate()
    }

    /// 1 began, 2 waited, 3 completed.
    var calls: [Int] { (0..<core.pointee.callCount).map { core.pointee.calls[$0] } }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var beginFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let core = context.assumingMemoryBound(to: Core.self)
            core.pointee.note(1)
            core.pointee.value = 2 * call.assumingMemoryBound(to: StepCall.self).pointee.input[0][63]
        }
    }

    var awaitFunction: Function {
        { context, _ in context?.assumingMemoryBound(to: Core.self).pointee.note(2) }
    }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let core = context.assumingMemoryBound(to: Core.self)
            core.pointee.note(3)
            let output = call.assumingMemoryBound(to: StepCall.self).pointee.output
            for frame in 0..<64 { output[0][frame] = core.pointee.value }
        }
    }
}
