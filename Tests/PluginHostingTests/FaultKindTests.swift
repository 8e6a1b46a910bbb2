// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Faults that look alike from outside are distinguished: stopped or late, out of memory or out of descriptors.

import AudioUnits
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(1))) struct FaultKindTests {
    /// Plays a unit, orders a fault by its controller, and waits for the first record that is not about lateness.
    private func fault(on controller: UInt8) throws -> (fault: PluginFault?, restarts: Int) {
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine)
        try stage.start()
        try stage.row.members[0].unit.send(MIDIMessage(0xB0, controller, 0))
        let faults = stage.row.members[0].faults
        #expect(waitUntil(milliseconds: 6000) { faults.restarts == 1 })
        #expect(waitUntil(milliseconds: 2000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        stage.stop()
        return (faults.records.first { !$0.fault.isPassing }?.fault, faults.restarts)
    }

    /// The unit first sets itself a limit of 64.
    @Test func aUnitThatHasTakenAllDescriptorsIsEndedAndComesBackWithoutThem() throws {
        let (fault, restarts) = try fault(on: 12)
        #expect(fault == .tooManyDescriptors && restarts == 1)
    }

    /// The unit first sets itself a limit of 4 GiB.
    @Test func aUnitThatHasTakenAllMemoryIsEndedAndComesBackWithoutIt() throws {
        let (fault, restarts) = try fault(on: 11)
        #expect(fault == .outOfMemory && restarts == 1)
    }

    /// It starts a thousand threads, or as many as it may.
    @Test func aUnitThatHasStartedAllThreadsIsEndedAndComesBackWithoutThem() throws {
        let (fault, restarts) = try fault(on: MisbehaviourTests.Fault.threadStorm.rawValue)
        #expect(fault == .tooManyThreads && restarts == 1)
    }

    @Test func aUnitThatStopsItselfIsStoppedAndNotMerelyLateAndIsEndedInTheEnd() throws {
        let stage = try Stage([try Build.unit("Misbehaver")], input: DeathTests.sine)
        try stage.start()
        try stage.row.members[0].unit.send(MIDIMessage(0xB0, 8, 0))
        let faults = stage.row.members[0].faults
        #expect(waitUntil(milliseconds: 8000) { faults.restarts == 1 })
        stage.stop()
        // A busy machine may have made it late before that.
        #expect(faults.records.map(\.fault.kind).drop { $0 == "late" } == ["stopped", "hung"])
    }

    @Test func aLimitIsReadAsTheKernelWritesIt() {
        let text = """
            Limit                     Soft Limit           Hard Limit           Units
            Max data size             unlimited            unlimited            bytes
            Max open files            1024                 524288               files
            """
        #expect(ResourceUse.limit("Max open files", in: text) == 1024)
        #expect(ResourceUse.limit("Max data size", in: text) == nil)
        #expect(ResourceUse.limit("Max address space", in: text) == nil)
    }
}
