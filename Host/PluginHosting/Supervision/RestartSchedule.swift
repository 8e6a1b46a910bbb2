// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When a unit that died is started anew, and when it has died too often for that. Supervisor.

/// The deaths of one unit, and what follows from them.
struct RestartSchedule {
    enum Answer: Equatable {
        case restart(afterNanoseconds: UInt64)
        /// The last `deaths` were too many.
        case quarantine(deaths: Int)
    }

    /// How much had been rendered at each of the deaths and failed restarts within the window, in nanoseconds of sound.
    private var deaths: [UInt64] = []
    private var failures = 0

    /// What to do about a death after `rendered` nanoseconds of sound, or about a restart that failed.
    ///
    /// What is not rendered brings no death nearer to being forgotten, however long it takes to hang or to start: so whoever
    /// waits for a unit waits for so many restarts at most in so much sound.
    ///
    /// The first one is answered at once: most units die once in a blue moon, and nobody shall wait for them. Those that
    /// follow have to wait, each twice as long as the one before.
    mutating func answer(deathAfter rendered: UInt64, isFailure: Bool, _ policy: ChainPolicy) -> Answer {
        let window = UInt64(policy.restartWindowMilliseconds) * 1_000_000
        deaths = deaths.filter { rendered < $0 + window } + [rendered]
        failures = isFailure ? failures + 1 : 0
        guard failures <= policy.failureBudget else { return .quarantine(deaths: failures) }
        guard deaths.count <= policy.restartBudget else { return .quarantine(deaths: deaths.count) }
        guard deaths.count > 1 else { return .restart(afterNanoseconds: 0) }
        let doublings = min(deaths.count - 2, 30)
        let pause = min(UInt64(policy.firstPauseMilliseconds) << UInt64(doublings), UInt64(policy.longestPauseMilliseconds))
        return .restart(afterNanoseconds: pause * 1_000_000)
    }

    /// Deaths within the window so far.
    var deathCount: Int { deaths.count }
}
