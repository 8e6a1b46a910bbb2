// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that rings too early, too often or not at all, and one that dies at the worst moment.

import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct WrongRingTests {
    typealias Place = SabotageScene.Place

    @Test func ringingTheHostTooEarlyIsNotHeard() throws {
        try Sabotage(order: .ringEarly, place: .last, heard: .nothing).play()
    }

    /// The next unit reads the saboteur's block, which only the saboteur writes.
    @Test func ringingTheNextUnitTooEarlyHarmsNobodyElse() throws {
        try Sabotage(order: .ringEarly, heard: .itsOwnNoise).play()
    }

    @Test(arguments: Place.both) func sayingToBeCompleteTooEarlyHarmsNobodyElse(place: Place) throws {
        try Sabotage(order: .completeEarly, place: place, heard: .itsOwnNoise).play()
    }

    @Test(arguments: [Order.ringTwice, .ringStorm], Place.both)
    func ringingTooOftenIsNotHeard(order: Order, place: Place) throws {
        try Sabotage(order: order, place: place, heard: .nothing).play()
    }

    /// The next unit has read an invalid block, and its doorbell denies it.
    @Test func takingBackARingHasNobodyElseBlamed() throws {
        let scene = try SabotageScene()
        scene.render(10)
        let victim = scene.row.members[2]
        let replacedBefore = victim.replacedBlockCount
        try Order.takeBackRing.give(to: scene.culprit.unit)
        scene.render()
        #expect(waitUntil(milliseconds: 1000) { scene.culprit.faults.records.contains { $0.fault == .late } })
        #expect(victim.replacedBlockCount == replacedBefore + 1)
        scene.render(15)
        #expect(scene.neighbours.allSatisfy { $0.faults.records.allSatisfy { $0.fault == .late } && $0.faults.restarts == 0 })
        let isBounded = scene.heard.allSatisfy { abs($0) <= 1 }
        #expect(isBounded)
    }

    /// The silence of the last unit is noticed only if the host has begun to wait.
    @Test func whoRingsNobodyIsBlamedAndNothingIsHeard() throws {
        try Sabotage(order: .ringNobody, heard: .nothing, reported: ["protocolViolation"]).play()
    }

    /// It costs the others most of each cycle.
    @Test(arguments: Place.both) func whoNeverRingsAnybodyIsBlamedOnceAndStartedAnew(place: Place) throws {
        let scene = try SabotageScene(place)
        scene.render(10)
        try Order.ringNobody.give(to: scene.culprit.unit, Order.always)
        let faults = scene.culprit.faults
        #expect(scene.play(milliseconds: 5000) { faults.restarts == 1 && scene.culprit.isPresent })
        scene.render(15)
        #expect(waitUntil(milliseconds: 1000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        let kinds = faults.records.map(\.fault.kind).filter { $0 != "late" }
        #expect(kinds == ["protocolViolation", "protocolViolation"], "that it does, and that it was ended for it")
        #expect(scene.neighbours.allSatisfy { $0.faults.restarts == 0 })
    }

    /// The number is in the next unit's doorbell, and that unit sleeps: the unit that should have woken it is dead.
    @Test(arguments: Place.both) func whoDiesBetweenTheStoreAndTheWakeTakesNobodyAlong(place: Place) throws {
        try Sabotage(order: .dieBeforeTheWake, place: place, heard: .standInUntilBack, reported: ["signalled"]).play()
    }

    @Test(arguments: Place.both) func aProcessWhoseRenderThreadHasEndedIsEnded(place: Place) throws {
        try Sabotage(order: .endRenderThread, place: place, heard: .standInUntilBack, reported: ["protocolViolation"]).play()
    }
}
