// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long tests wait, and how often they try, on a machine that others use too. Any thread.

import LinuxSystem

/// What a shared machine costs tests that wait for something.
package enum Patience {
    /// The seconds to wait for what has to happen, if it takes `own` of them on a machine of one's own.
    ///
    /// A test that passes never waits that long.
    package static func seconds(_ own: Double = 0) -> Double { max(60, 3 * own) }

    /// Waits until a condition holds; false if it still does not after ``seconds(_:)``.
    ///
    /// - Parameters:
    ///   - own: the seconds that it takes on a machine of one's own.
    ///   - pause: the microseconds between two looks.
    ///   - condition: what has to happen.
    /// - Returns: whether it has happened.
    package static func until(
        within own: Double = 0, every pause: UInt32 = 500, _ condition: () throws -> Bool
    ) rethrows -> Bool {
        let deadline = MonotonicClock.now() + UInt64(seconds(own) * 1e9)
        while try !condition() {
            guard MonotonicClock.now() < deadline else { return try condition() }
            Futex.pause(microseconds: pause)
        }
        return true
    }

    /// Looks for so many milliseconds; whether something has not happened in all of them.
    package static func never(milliseconds: Int, _ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while MonotonicClock.now() < deadline {
            if try condition() { return false }
            Futex.pause(microseconds: 500)
        }
        return true
    }

    /// Tries what a machine that stands still for a moment can spoil, until it is not spoiled; false after `tries`.
    ///
    /// For sound that is played or recorded in real time, and whose contents the test looks at: a cycle that the machine has missed
    /// says nothing of the program.
    package static func succeeds(tries: Int = 4, _ attempt: () throws -> Bool) rethrows -> Bool {
        for _ in 0..<tries {
            if try attempt() { return true }
        }
        return false
    }
}
