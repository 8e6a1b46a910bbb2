// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When a unit is restarted: at once, then later and later, then never. Times here are nanoseconds of rendered sound.

import Testing

@testable import PluginHosting

@Suite struct RestartScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    private func policy(budget: Int = 8) -> UnitPolicy {
        var policy = UnitPolicy()
        policy.restartBudget = budget
        return policy
    }

    @Test func theFirstRestartComesAtOnceAndEachFurtherOneTwiceAsLateUpToTheLongest() {
        var schedule = RestartSchedule()
        let answers = (0..<9).map { schedule.answer(deathAfter: Self.second + $0, isFailure: false, policy()) }
        let pauses: [UInt64] = [0, 100, 200, 400, 800, 1600, 3200, 5000]
        #expect(answers == pauses.map { .restart(afterNanoseconds: $0 * 1_000_000) } + [.quarantine(deaths: 9)])
    }

    @Test func deathsAreForgottenAfterAMinute() {
        var schedule = RestartSchedule()
        for death in 0..<UInt64(100) {
            // Five deaths within any minute are permitted.
            let rendered = 1000 * Self.second + death * 13 * Self.second
            let answer = schedule.answer(deathAfter: rendered, isFailure: false, policy(budget: 5))
            #expect(answer != .quarantine(deaths: 6))
        }
        #expect(schedule.deathCount == 5)
        #expect(
            schedule.answer(deathAfter: 2300 * Self.second, isFailure: false, policy(budget: 5)) != .quarantine(deaths: 6))
        var quick = RestartSchedule()
        for death in 0..<UInt64(5) {
            _ = quick.answer(deathAfter: Self.second + death * 11 * Self.second, isFailure: false, policy(budget: 5))
        }
        #expect(quick.answer(deathAfter: 56 * Self.second, isFailure: false, policy(budget: 5)) == .quarantine(deaths: 6))
    }

    @Test func whoDiesOnceInABlueMoonNeverWaits() {
        var schedule = RestartSchedule()
        for death in 1..<UInt64(50) {
            let answer = schedule.answer(deathAfter: death * 61 * Self.second, isFailure: false, policy())
            #expect(answer == .restart(afterNanoseconds: 0))
        }
    }

    /// Even if every death is forgiven, a unit that cannot be started need not be tried for ever.
    @Test func restartsThatFailInARowAreToldFromDeaths() {
        var schedule = RestartSchedule()
        for _ in 0..<4 {
            #expect(schedule.answer(deathAfter: 0, isFailure: false, policy(budget: 100)) != .quarantine(deaths: 6))
            for _ in 0..<5 {
                let answer = schedule.answer(deathAfter: 0, isFailure: true, policy(budget: 100))
                #expect(answer != .quarantine(deaths: 6))
            }
        }
        #expect(schedule.answer(deathAfter: 0, isFailure: true, policy(budget: 100)) == .quarantine(deaths: 6))
    }
}
