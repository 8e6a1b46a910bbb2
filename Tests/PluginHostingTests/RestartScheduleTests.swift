// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When a unit is started anew: at once, then later and later, then not any more. Times are numbers here.

import Testing

@testable import PluginHosting

@Suite struct RestartScheduleTests {
    private static let second: UInt64 = 1_000_000_000

    private func policy(budget: Int = 8) -> ChainPolicy {
        var policy = ChainPolicy()
        policy.restartBudget = budget
        return policy
    }

    @Test func theFirstRestartComesAtOnceAndEachFurtherOneTwiceAsLateUpToTheLongest() {
        var schedule = RestartSchedule()
        let answers = (0..<9).map { schedule.answer(deathAt: Self.second + $0, policy()) }
        let pauses: [UInt64] = [0, 100, 200, 400, 800, 1600, 3200, 5000]
        #expect(answers == pauses.map { .restart(afterNanoseconds: $0 * 1_000_000) } + [.quarantine])
    }

    @Test func deathsAreForgottenAfterAMinute() {
        var schedule = RestartSchedule()
        for death in 0..<UInt64(100) {
            // Five within any minute are permitted.
            let answer = schedule.answer(deathAt: 1000 * Self.second + death * 13 * Self.second, policy(budget: 5))
            #expect(answer != .quarantine)
        }
        #expect(schedule.deathCount == 5)
        #expect(schedule.answer(deathAt: 2300 * Self.second, policy(budget: 5)) != .quarantine)
        var quick = RestartSchedule()
        for death in 0..<UInt64(5) { _ = quick.answer(deathAt: Self.second + death * 11 * Self.second, policy(budget: 5)) }
        #expect(quick.answer(deathAt: 56 * Self.second, policy(budget: 5)) == .quarantine)
    }

    @Test func whoDiesOnceInABlueMoonNeverWaits() {
        var schedule = RestartSchedule()
        for death in 1..<UInt64(50) {
            #expect(schedule.answer(deathAt: death * 61 * Self.second, policy()) == .restart(afterNanoseconds: 0))
        }
    }
}
