// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A machine that has no descriptor left when a plug-in is restarted. Test thread.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("plays in real time"), .serialized, .timeLimit(.minutes(1))) struct ShortageTests {
    /// Calls `body` while this process can open nothing.
    private func withoutDescriptors<Value>(_ body: () throws -> Value) throws -> Value {
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var former = rlimit()
        try #require(getrlimit(kind, &former) == 0)
        var none = rlimit(rlim_cur: 3, rlim_max: former.rlim_max)
        try #require(setrlimit(kind, &none) == 0)
        defer { setrlimit(kind, &former) }
        return try body()
    }

    /// With a budget of no restart the first failure of the plug-in would be its last one.
    @Test func theMachinesShortageIsNoFaultOfThePlugIn() throws {
        var policy = UnitPolicy()
        policy.restartBudget = 1
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine, policy: policy)
        try stage.start()
        defer { stage.stop() }
        let member = stage.row.members[0]
        let process = try #require(member.unit.processIdentifier)
        let earlier = member.faults.records.count
        try withoutDescriptors {
            kill(process, SIGKILL)
            stage.pause(milliseconds: 1500)
            #expect(!member.isPresent && !member.isQuarantined && member.faults.restarts == 0)
        }
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 1 && member.isPresent })
        #expect(!member.isQuarantined)
        let faults = member.faults.records.dropFirst(earlier).map(\.fault).filter { !$0.isPassing }
        #expect(faults.count == 2 && faults.first == .signalled(signal: SIGKILL) && faults.last?.isShortage == true, "\(faults)")
    }
}
