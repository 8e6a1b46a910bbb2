// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells cycles in real time from those that come faster, such as those of a graph that freewheels. Render thread.

/// By how much the frames of all cycles are ahead of the clock on the wall.
///
/// After a stall a graph may catch up: its cycles come faster, but they are not ahead. A device's clock may run a little faster than the
/// machine's, so one per cent is forgiven.
struct RealTimeLead {
    /// Nanoseconds; negative after a stall.
    private var lead: Double = 0
    private var lastStart: UInt64 = 0
    /// True if the present cycle must not count as real time.
    private(set) var isAhead = false

    /// The nanoseconds beyond which cycles come too fast, and below which they are in real time again.
    private static var most: Double { @_noLocks get { 150e6 } }
    private static var least: Double { @_noLocks get { 50e6 } }
    /// The nanoseconds of a stall that can be caught up.
    private static var longestStall: Double { @_noLocks get { 5e9 } }
    private static var forgiven: Double { @_noLocks get { 1.01 } }

    @_noLocks init() {}

    /// Takes the next cycle, which begins at a time of the monotonic clock and has a length; both are in nanoseconds.
    @_noLocks
    mutating func take(start: UInt64, length: Double, isFreewheeling: Bool) {
        if lastStart > 0 { lead -= Double(start &- min(start, lastStart)) * Self.forgiven }
        lastStart = start
        lead = max(lead, -Self.longestStall)
        isAhead = isFreewheeling || lead > (isAhead ? Self.least : max(Self.most, 2 * length))
        // A cycle that is held takes no time of the song.
        if isAhead { lead = max(0, lead) } else { lead += length }
    }
}
