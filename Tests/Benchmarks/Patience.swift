// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waits for a quiet machine before a part is measured. Main thread.

import BenchmarkSupport
import Glibc

/// The rest of the time that the parts may wait.
struct Patience {
    private static let secondsBetweenLooks: UInt32 = 10
    private var left: Duration

    init(minutes: Int) { left = .seconds(60 * minutes) }

    /// Returns once a check has found the machine quiet, or when no time is left.
    ///
    /// A check is no part of the measurement after it. If it were, the choice of a quiet moment would choose the result.
    mutating func awaitQuiet(_ isQuiet: () -> Bool) {
        while left > .zero {
            let began = ContinuousClock.now
            if isQuiet() { return }
            sleep(Self.secondsBetweenLooks)
            left -= ContinuousClock.now - began
            if left <= .zero { StandardError.say("    The machine is still not quiet, and there is no patience left.") }
        }
    }
}
