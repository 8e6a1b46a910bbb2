// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When a unit that died is started anew, and when it has died too often for that. Supervisor.

/// The deaths of one unit, and what follows from them.
struct RestartSchedule {
    enum Answer: Equatable {
        case restart(afterNanoseconds: UInt64)
        case quarantine
    }

    /// Monotonic times of the deaths and failed restarts within the window.
    private var deaths: [UInt64] = []

    /// What to do about a death, or about a restart that failed.
    ///
    /// The first one is answered at once: most units die once in a blue moon, and nobody shall wait for them. Those that
    /// follow have to wait, each twice as long as the one before.
    mutating func answer(deathAt now: UInt64, _ policy: ChainPolicy) -> Answer {
        let window = UInt64(policy.restartWindowMilliseconds) * 1_000_000
        deaths = deaths.filter { now < $0 + window } + [now]
        guard deaths.count <= policy.restartBudget else { return .quarantine }
        guard deaths.count > 1 else { return .restart(afterNanoseconds: 0) }
        let doublings = min(deaths.count - 2, 30)
        let pause = min(UInt64(policy.firstPauseMilliseconds) << UInt64(doublings), UInt64(policy.longestPauseMilliseconds))
        return .restart(afterNanoseconds: pause * 1_000_000)
    }

    /// Deaths within the window so far.
    var deathCount: Int { deaths.count }
}
