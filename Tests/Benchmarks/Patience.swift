// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waits for the machine to be quiet before something is measured. Main thread.

import BenchmarkSupport
import Glibc

/// What is left of the time that may be waited.
struct Patience {
    private static let secondsBetweenLooks: UInt32 = 10
    private var left: Duration

    init(minutes: Int) { left = .seconds(60 * minutes) }

    /// Returns once a look has found the machine quiet, or there is no patience left. A look is not part of what is measured
    /// after it: who chose by that would get whatever he looked for.
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
