// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limit on voices: the sounds that it takes. Render thread.

/// A sound that the limit may take, with its rank.
private struct Candidate {
    let event: UnsafeMutablePointer<EventCore>
    let leaf: UnsafeMutablePointer<LeafCore>
    let hasBegun: Bool

    private var priority: Int { @_noLocks get { leaf.pointee.priority &+ event.pointee.priority } }
    private var beginning: Int64 { @_noLocks get { event.pointee.beginning.load(ordering: .relaxed) } }

    /// True if this one goes first: by its priority, then its distance, then its age.
    @_noLocks
    func goes(before other: Candidate) -> Bool {
        if priority != other.priority { return priority < other.priority }
        if leaf.pointee.distance != other.leaf.pointee.distance { return leaf.pointee.distance > other.leaf.pointee.distance }
        // A sound that begins now is the youngest.
        if hasBegun != other.hasBegun { return hasBegun }
        return hasBegun && beginning < other.beginning
    }
}

extension SceneCore {
    /// Takes the sounds that are too many at a frame; returns the frame of the next start.
    @_noLocks
    mutating func limit(at frame: Int64, before end: Int64) -> Int64 {
        guard voiceLimit < .max, frame < end else { return end }
        while let worst = worst(at: frame) {
            worst.leaf.pointee.take(at: frame, over: fadeFrameCount, hasBegun: worst.hasBegun)
            droppedCount.wrappingAdd(1, ordering: .relaxed)
        }
        var next = end
        for index in 0..<eventCount {
            if let extent = events[index].pointee.extent(from: frame, to: end), extent.first > frame {
                next = min(next, extent.first)
            }
        }
        return next
    }

    /// The sound that goes first at a frame; nil if there are not too many.
    @_noLocks
    private func worst(at frame: Int64) -> Candidate? {
        var (count, worst) = (0, Candidate?.none)
        for index in 0..<eventCount where events[index].pointee.extent(from: frame, to: frame &+ 1) != nil {
            let event = events[index]
            let hasBegun = event.pointee.beginning.load(ordering: .relaxed) != .min
            for number in 0..<event.pointee.leafCount where event.pointee.leaves[number].isVoice {
                count &+= 1
                event.pointee.leaves[number].measure(at: frame)
                let candidate = Candidate(event: event, leaf: event.pointee.leaves + number, hasBegun: hasBegun)
                if worst.map({ candidate.goes(before: $0) }) ?? true { worst = candidate }
            }
        }
        return count > voiceLimit ? worst : nil
    }
}
