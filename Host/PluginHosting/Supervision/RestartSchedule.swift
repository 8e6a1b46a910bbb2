// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Schedules the restarts of a unit that died, until it has died too often. Supervisor.

/// The deaths of one unit, and the answers to them.
struct RestartSchedule {
    enum Answer: Equatable {
        case restart(afterNanoseconds: UInt64)
        /// The unit goes into quarantine, because `deaths` were too many.
        case quarantine(deaths: Int)
    }

    /// The nanoseconds of audio rendered before each death and failed restart within the window.
    private var deaths: [UInt64] = []
    private var failures = 0

    /// The answer to a death after `rendered` nanoseconds of audio, or to a failed restart.
    ///
    /// Only rendered audio lets a death be forgotten, not the time that the unit takes to hang or to start. So a caller waits for
    /// a bounded number of restarts in a given length of audio.
    ///
    /// The first death is answered at once: most units die very rarely, and no listener should wait for them. Each later restart
    /// waits twice as long as the one before.
    mutating func answer(deathAfter rendered: UInt64, isFailure: Bool, _ policy: UnitPolicy) -> Answer {
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

    /// The number of deaths within the window so far.
    var deathCount: Int { deaths.count }
}
