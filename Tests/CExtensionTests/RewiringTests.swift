// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processes of both kinds are wired anew while they render, by hand and by the host. Test thread.

import Confinement
import ControlMessages
import Glibc
import HostingTestSupport
import LinuxSystem
import RawHosting
import TestSupport
import Testing
import Wire

@testable import PluginHosting

@Suite(.timed("waits for what must not ring"), .serialized) struct RewiringTests {
    private typealias Wires = HandWiredUnit.Wires

    /// A process of this bundle whose host is the test.
    private func start(_ name: String) throws -> (process: ChildProcess, unit: HandWiredUnit) {
        let component = name == "Gain" ? try Build.component(name) : try CExtension.component(name)
        let (near, far) = try ControlSocket.pair()
        let process = try ChildProcess(path: component.executablePath, arguments: [], environment: [:], control: far)
        return (process, try HandWiredUnit(near, of: process))
    }

    @Test(arguments: ["Tremolo", "Gain"])
    func aUnitIsWiredAnewWhileItRenders(name: String) throws {
        let (_, unit) = try start(name)
        #expect(try unit.greet() == 3)
        let (first, second, third) = (try Wires(level: 0.25), try Wires(level: 0.5), try Wires(level: 0.75))
        #expect(try unit.wire(1, second) != nil, "it has no resources yet")
        try unit.allocate(first)
        #expect(unit.play(wiring: 0, slot: 0, at: first.doorbell) == 0.25)
        #expect(try unit.wire(1, second) == nil)
        #expect(try unit.wire(0, second) != nil && unit.wire(4, second) != nil)
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        #expect(try unit.wire(1, third) != nil, "it is in use")
        unit.publish(wiring: 1, slot: 65)
        unit.grant(at: first.doorbell)
        #expect(!unit.isAnswered(milliseconds: 50))
        unit.grant(at: second.doorbell)
        #expect(unit.isAnswered() && unit.level() == 0.5)
        #expect(unit.play(wiring: 1, slot: 0, at: second.doorbell) == 0.25)
        #expect(unit.play(wiring: 1, slot: 255, at: second.doorbell) == 0)
        #expect(try unit.wire(2, third) == nil)
        #expect(unit.changeOver(to: 2, third, from: second) == 0.75)
        // A number that is free again.
        let fourth = try Wires(level: 0.125)
        #expect(try unit.wire(1, fourth, hasSuccessor: false) == nil)
        #expect(unit.changeOver(to: 1, fourth, from: third) == 0.125)
        for slot in [2, 66, 128, 254] {
            unit.publish(wiring: 1, slot: slot)
            unit.grant(at: fourth.doorbell)
            #expect(unit.isAnswered() && unit.status() == 2)
        }
        unit.publish(wiring: 3, slot: 0)
        unit.grant(at: fourth.doorbell)
        #expect(unit.isAnswered() && unit.status() == 2, "there is no such wiring")
        #expect(unit.play(wiring: 1, slot: 64, at: fourth.doorbell) == 0.125)
        #expect(try unit.ask(.deallocate) == .done)
    }

    /// The host sleeps at its doorbell of the wiring in use.
    ///
    /// No other thread sleeps there or rings there.
    @Test(arguments: ["Tremolo", "Gain"])
    func aDeathWakesTheHostOfTheWiringInUse(name: String) throws {
        let (process, unit) = try start(name)
        _ = try unit.greet()
        let (first, second) = (try Wires(level: 0.25), try Wires(level: 0.5))
        try unit.allocate(first)
        #expect(try unit.wire(1, second) == nil)
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        let doorbell = SharedFutexWord(unsafeAddress: second.hostDoorbell.base)
        // The ring comes after the answer.
        for _ in 0..<2000 where doorbell.load() == 0 { Futex.pause(microseconds: 1000) }
        let killer = try Thread(name: "killer") {
            Futex.pause(microseconds: 100_000)
            _ = process.kill()
        }
        let began = MonotonicClock.now()
        let end = Futex.wait(doorbell.address, while: doorbell.load(), until: began + 5_000_000_000)
        killer.join()
        #expect(end != .timedOut)
        #expect(Lifeline.isCut(unit.region.lifeline.load()))
    }

    @Test func aUnitOfVersion1TakesNoWiringsAndRendersAsEver() throws {
        let (_, unit) = try start("TremoloWithoutLifeline")
        #expect(try unit.greet() == 1)
        let first = try Wires(level: 0.25)
        try unit.allocate(first)
        #expect(try unit.wire(1, Wires(level: 0.5)) != nil)
        #expect(unit.play(wiring: 0, slot: 1, at: first.doorbell) == 0.25)
    }

    @Test(arguments: ["Tremolo", "Gain"])
    func aHostOfVersion1IsServedAsEver(name: String) throws {
        let (_, unit) = try start(name)
        #expect(try unit.greet(VersionRange(minimum: 1, maximum: 1)) == 1)
        let first = try Wires(level: 0.25)
        try unit.allocate(first)
        #expect(unit.play(wiring: 0, slot: 1, at: first.doorbell) == 0.25)
    }

    @Test func theHostKnowsWhoTakesWirings() throws {
        let (new, old) = (try CExtension.unit(), try CExtension.unit("TremoloWithoutLifeline"))
        #expect(new.protocolVersion == 3 && new.takesWirings)
        #expect(old.protocolVersion == 1 && !old.takesWirings)
        let wires = try Wires(level: 0.5)
        let wiring = UnitRewiring(
            doorbell: wires.doorbell, hostDoorbell: wires.hostDoorbell, successorDoorbell: wires.successor,
            inputs: [.init(memory: wires.input, layout: HandWiredUnit.layout)])
        func refusal(_ unit: HostedUnit, number: Int = 1) -> String? {
            do throws(HostingError) {
                try unit.wire(wiring, number: number)
                return nil
            } catch {
                return error.description
            }
        }
        #expect(
            refusal(old)
                == "Couldn't wire \"Tremolo without lifeline\": it speaks version 1 of the protocol, which has no wirings.")
        #expect(refusal(new) == "Couldn't wire \"Tremolo\": it has no resources.")
        // The row lives as long as the bench, and the unit has resources meanwhile.
        let bench = try CExtension.bench([new], input: CExtension.noise(640, channels: 1))
        #expect(refusal(new) == nil)
        #expect(refusal(new, number: 4) == "Couldn't wire \"Tremolo\": there is no such wiring.")
        withExtendedLifetime(bench) {}
    }
}
