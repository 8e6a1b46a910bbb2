// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long tests wait, and how often they try, on a machine that others use too. Any thread.

/// What a shared machine costs tests that run in real time.
package enum Patience {
    /// By how much a wait for what has to happen is longer than on a machine of one's own.
    ///
    /// A test that passes never waits that long.
    package static let factor = 3

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
