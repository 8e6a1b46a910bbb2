// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When the watch looks next, by what it has seen of the waits. The watch's thread.

/// The pace at which waits come.
///
/// A wait relies on the watch if the next look is to be after its beginning and before its deadline; otherwise the render
/// thread sets a timer of its own. So whatever is said here is safe, and a good guess saves time: a cycle that begins after a look
/// is not due before the length of a deadline has passed, and where cycles come at a pace the next one is known to be due a step after
/// the last. The later a look, the fewer there are; and just before a deadline a cycle is usually over, so that the look,
/// which takes the render core from whoever runs, interrupts nobody.
struct WatchPace {
    private static let longestLength: UInt64 = 20_000_000
    /// From one look to the next. A watch that has lost its rank has to find out.
    private static let longestRest: UInt64 = 100_000_000
    /// From the beginning of a wait to its deadline, nanoseconds.
    private var length = WatchSharedState.shortestInterval
    /// From one deadline of a chain to its next.
    private var step: UInt64 = 0
    /// The first deadline since the last look; nil where nobody has waited.
    private var deadline: UInt64?

    /// What has been seen since the last look, the shortest and the first of each; nil if nobody has waited.
    mutating func note(_ waits: WatchSharedState.Waits?) {
        deadline = waits?.deadline
        guard let waits else { return }
        length = min(max(waits.length, WatchSharedState.shortestInterval), Self.longestLength)
        // After a cycle that was late comes one in time, a shorter step away than this one was: a step is believed by and by.
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
