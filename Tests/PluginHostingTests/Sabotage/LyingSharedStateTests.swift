// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that writes false values into the state that it shares with the host.

import AudioUnits
import ControlMessages
import Rendering
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(3))) struct LyingSharedStateTests {
    private static func each(_ order: Order, _ heard: Heard, _ reported: [String]) -> [Sabotage] {
        Order.nastyNumbers.map { Sabotage(order: order, argument: $0, heard: heard, reported: reported) }
    }

    @Test(arguments: each(.replySequence, .standInOnce, ["protocolViolation"]))
    func aReplyToAnotherRequestIsPassedOver(sabotage: Sabotage) throws { try sabotage.play() }

    /// Of two extreme numbers the low half, which is all that the field holds, is the true value.
    @Test(arguments: each(.replyFrames, .standInOnce, ["protocolViolation"]).filter { ![6, 7].contains($0.argument) })
    func aReplyThatLiesAboutItsFramesIsPassedOver(sabotage: Sabotage) throws { try sabotage.play() }

    @Test(arguments: [0, 50]) func aReplyOfUnknownStatusIsPassedOver(argument: UInt8) throws {
        try Sabotage(order: .replyStatus, argument: argument, heard: .standInOnce, reported: ["protocolViolation"]).play()
    }

    @Test(arguments: Sample.of(each(.completed, .standInUntilBack, ["late", "hung"]), oneIn: 3))
    func aUnitThatClaimsToHaveAnsweredAnotherRequestHangs(sabotage: Sabotage) throws { try sabotage.play() }

    /// Counts that are at most one full ring ahead are possible: the host takes that many events, and none makes sense.
    @Test(arguments: Order.nastyNumbers)
    func anImpossibleCountOfWrittenEventsIsReportedOnceAndNothingIsTaken(argument: UInt8) throws {
        let isPossible = [0, 2, 3].contains(argument)
        try Sabotage(
            order: .eventsWritten, argument: argument, heard: .nothing, reported: isPossible ? [] : ["protocolViolation"]
        ).play()
    }

    @Test(arguments: each(.eventsRead, .nothing, []))
    func anImpossibleCountOfReadEventsIsAFullRing(sabotage: Sabotage) throws { try sabotage.play() }

    @Test func aUnitThatPassesForDeadIsEnded() throws {
        try Sabotage(order: .cutLifeline, heard: .standInUntilBack, reported: ["protocolViolation"]).play()
    }

    @Test func aUnitThatTakesItsLifelineBackPlaysOn() throws {
        try Sabotage(order: .noLifeline, heard: .nothing).play()
    }

    @Test func aFloodOfEventsIsTakenSipBySip() throws {
        try Sabotage(order: .eventFlood, argument: Order.always, heard: .nothing).play()
    }

    /// Its events are not read for a while, and it dies.
    @Test func aFloodOfEventsHidesNoDeath() throws {
        let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 1)
        let memory = try UnitMemory(name: "flood", format: format, inputBusCount: 1, outputBusCount: 1, outputChannelCount: 1)
        let region = memory.formatRegion()
        let mailbox = UnitMailbox()
        let ends = mailbox.renderEnds()
        var events = UnitEvents(region: region, commands: ends.commands, notices: ends.notices, port: MessagePort(), lanes: [])
        var unit = region.pluginToHostWriter()
        let note = RenderEvent.midi(MIDIMessage(0x90, 60, 100)).wireEvent(at: 0)
        for cycle in 0..<1000 {
            while unit.write(note) {}
            events.forward(UInt64(cycle))
        }
        events.notify(.died, 1000)
        let notices = mailbox.takeNotices()
        #expect(notices.count > 1000 && notices.last?.kind == UnitNotice.died.rawValue)
    }

    /// Every other block is good, so each bad one is a change that is logged.
    @Test func lyingForHoursHidesNoDeath() {
        let log = FaultLog()
        for cycle in 0..<UInt64(2 * FaultLog.capacity) { log.append(.protocolViolation("a lie"), cycle: cycle, sampleTime: 0) }
        log.append(.exited(code: 1), cycle: 5000, sampleTime: 0)
        #expect(log.records.last?.fault == .exited(code: 1))
    }

    @Test func aUnitThatLiesWithoutEndIsReportedOnceAndStartedAnew() throws {
        let scene = try SabotageScene()
        scene.render(10)
        try Order.replyStatus.give(to: scene.culprit.unit, Order.always)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 5000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        #expect(waitUntil(milliseconds: 1000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(faults.records.map(\.fault.kind).filter { $0 != "late" } == ["protocolViolation"])
        #expect(scene.neighbours.allSatisfy { $0.faults.restarts == 0 })
    }
}
