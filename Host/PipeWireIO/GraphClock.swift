// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts missed cycles from the graph's frame counter. Render thread.

/// The graph's clock as of the last cycle.
struct GraphClock {
    private var identifier: UInt32 = 0
    private var position: UInt64 = 0
    private var frameCount: UInt32 = 0
    private var sampleRate: UInt32 = 0

    @_noLocks init() {}

    /// Takes the next cycle's clock, and returns the number of cycles missed before it.
    ///
    /// A cycle that ended late counts as missed, even if the graph waited for it. A step with a new quantum, rate or driver
    /// counts nothing, because drivers count such a step differently.
    @_noLocks
    mutating func missedCycles(
        identifier: UInt32, position: UInt64, frameCount: UInt32, sampleRate: UInt32, isDiscontinuous: Bool,
        wasLate: Bool
    ) -> UInt64 {
        let isSame =
            !isDiscontinuous && self.identifier == identifier && self.frameCount == frameCount
            && self.sampleRate == sampleRate
        let gap = position &- (self.position &+ UInt64(frameCount))
        self.identifier = identifier
        self.position = position
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        guard isSame, frameCount > 0 else { return 0 }
        // A gap beyond half the range is a step back: the clock was reset, and no cycle was missed.
        let missed = gap < 1 << 63 ? (gap &+ UInt64(frameCount) &- 1) / UInt64(frameCount) : 0
        return max(missed, wasLate ? 1 : 0)
    }
}
