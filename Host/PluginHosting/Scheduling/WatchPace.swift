// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chooses the watch's next look from the waits that it has seen. The watch's thread.

/// The pace of waits.
///
/// A wait relies on the watch if the next look comes after its beginning and before its deadline; otherwise the render thread
/// sets a timer. So any answer is safe, and a good guess saves time. A cycle that begins after a look is not due before the
/// length of a deadline has passed. If cycles come at a pace, the next is due one step after the last.
///
/// Later looks are fewer. A look takes the render core from the thread that runs there. Just before a deadline the cycle is
/// usually over, so that a look interrupts no unit.
struct WatchPace {
    private static let longestLength: UInt64 = 20_000_000
    /// The longest time between looks, in nanoseconds; it bounds the time before a lost rank is noticed.
    private static let longestRest: UInt64 = 100_000_000
    /// The nanoseconds from the beginning of a wait to its deadline.
    private var length = WatchSharedState.shortestInterval
    /// The nanoseconds from one deadline of a row to its next.
    private var step: UInt64 = 0
    /// The first deadline since the last look; nil without a wait.
    private var deadline: UInt64?

    /// Takes the shortest wait and the first deadline since the last look; nil without any.
    mutating func note(_ waits: WatchSharedState.Waits?) {
        deadline = waits?.deadline
        guard let waits else { return }
        length = min(max(waits.length, WatchSharedState.shortestInterval), Self.longestLength)
        // After a late cycle comes one in time, and that step is shorter than the present one. So the step grows only gradually.
        step = min(waits.step, max(step + step / 8, length))
    }

    func next(after now: UInt64) -> UInt64 {
        guard let deadline else { return now + length }
        // A driver is early now and then.
        let margin = length / 8
        let expected = min(deadline + min(step, Self.longestRest), now + Self.longestRest)
        return max(now + length + margin, expected) - margin
    }
}
