// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that replies with nonsense, too much, too late or not at all: the fault is reported, and the unit plays on.

import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(3))) struct WrongAnswerTests {
    private static let nonsense: [Order] = [
        .halfMessage, .halfBody, .twoGigabytes, .twoGigabytesInMemory, .wrongSerial, .wrongKind, .longDatagram, .floodSocket,
        .manyDescriptors, .openBody, .shortPiece, .nonsense,
    ]

    /// The kind of fault in which a request ends, or nil.
    private func fault(of unit: HostedUnit) -> String? {
        do throws(HostingError) {
            _ = try unit.saveState()
            return nil
        } catch .fault(_, _, let fault) {
            return fault.kind
        } catch {
            return "\(error)"
        }
    }

    private func expectPeace(_ scene: SabotageScene) throws {
        #expect(try scene.isSetAsBefore)
        #expect(scene.row.members.allSatisfy { $0.faults.restarts == 0 })
        let isUntouched = scene.heardBeside == scene.expectedBeside && scene.heard == scene.expected
        #expect(isUntouched)
    }

    /// The descriptors of this process, once the supervisor's thread has begun and has the one that it waits with.
    private func settledDescriptorCount() -> Int {
        var count = Census.descriptorCount
        _ = waitUntil(milliseconds: 2000) {
            Futex.pause(microseconds: 100_000)
            defer { count = Census.descriptorCount }
            return count == Census.descriptorCount
        }
        return count
    }

    @Test(arguments: nonsense) func whoAsksIsToldAndTheNextAnswerIsTakenAsUsual(order: Order) throws {
        let scene = try SabotageScene()
        scene.render(10)
        let descriptors = settledDescriptorCount()
        try order.give(to: scene.culprit.unit)
        scene.render()
        #expect(fault(of: scene.culprit.unit) == "protocolViolation")
        scene.render(10)
        try expectPeace(scene)
        // The supervisor looks into /proc now and then, and has a file open meanwhile.
        #expect(waitUntil(milliseconds: 1000) { Census.descriptorCount <= descriptors })
    }

    /// The host itself requests the state of a unit that may have changed.
    @Test(arguments: [.sayNothing] + Sample.of(nonsense, oneIn: 3)) func whatTheHostIsAnsweredWhenItAsksByItselfIsReported(
        order: Order
    ) throws {
        let scene = try SabotageScene()
        scene.render(10)
        try order.give(to: scene.culprit.unit)
        let faults = scene.culprit.faults
        let isReported = scene.play(milliseconds: 6000, pause: 20) { faults.records.contains { $0.fault != .late } }
        #expect(isReported)
        let kinds = faults.records.map(\.fault.kind).filter { $0 != "late" }
        #expect(kinds == [order == .sayNothing ? "unanswered" : "protocolViolation"])
        #expect(faults.records.allSatisfy { $0.recoveredAfterCycles != nil })
        try expectPeace(scene)
    }

    @Test func anAnswerThatComesTooLateIsTakenForNoOther() throws {
        let scene = try SabotageScene()
        scene.render(10)
        try Order.answerLate.give(to: scene.culprit.unit, 30)
        scene.render()
        let connection = scene.culprit.unit.state.withLock { $0.connection }
        #expect(throws: PluginFault.unanswered(milliseconds: 100)) {
            try connection.ask(.saveState, descriptors: [], timeoutMilliseconds: 100)
        }
        Futex.pause(microseconds: 400_000)
        scene.render(10)
        try expectPeace(scene)
    }

    /// Its memory stays mapped, and it renders on until it gets a request.
    @Test func aUnitThatClosesAllItsDescriptorsIsStartedAnewWhenItIsMissed() throws {
        let scene = try SabotageScene()
        scene.render(10)
        try Order.closeDescriptors.give(to: scene.culprit.unit)
        scene.render(5)
        #expect(scene.heard == scene.expected)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 6000, pause: 20) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(10)
        #expect(faults.records.map(\.fault.kind).filter { $0 != "late" } == ["exited"])
        #expect(scene.heardBeside == scene.expectedBeside)
        #expect(try scene.isSetAsBefore)
    }
}
