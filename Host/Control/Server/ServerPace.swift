// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Decides when the server rests between two looks at its clients, because one of them streams. The server's thread.

/// Decides when the server rests before it looks at its clients again.
///
/// A fader that moves sends a line every millisecond, and to wake up for each costs more than to carry it out. So the server rests for a
/// while, and finds several. A client that waits for each answer is not kept waiting: it never has a second line underway.
struct ServerPace {
    /// How long a rest is, in nanoseconds.
    static let rest: UInt64 = 8_000_000
    /// The sleeps between the lines of a stream: at least two lines fall into a rest.
    ///
    /// A client that asks as soon as it is answered is faster.
    private static let sleeps: ClosedRange<UInt64> = 200_000...rest / 2
    /// The wake-ups for such lines after which a rest is tried.
    private static let mostWakeUps = 32

    private var wakeUpCount = 0
    private var hasRested = false

    /// Notes how long the server slept, and the most lines that one client had for it then; returns true if it rests now.
    mutating func rests(afterSleeping nanoseconds: UInt64, lines: Int) -> Bool {
        if hasRested {
            hasRested = lines > 1
        } else if lines > 0 {
            wakeUpCount = Self.sleeps.contains(nanoseconds) ? wakeUpCount + 1 : 0
            hasRested = wakeUpCount == Self.mostWakeUps
        }
        if hasRested { wakeUpCount = 0 }
        return hasRested
    }
}
