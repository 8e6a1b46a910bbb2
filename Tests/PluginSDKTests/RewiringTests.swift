// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit is wired anew while its render thread runs: real memory, doorbells and threads, and the test for a host. Test thread.

import AudioUnits
import CWireLayout
import ControlMessages
import Glibc
import LinuxSystem
import RawHosting
import TestSupport
import Testing
import Wire

@testable import PluginSDK

/// Puts out its input.
private struct Copier: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "copi", "test"), name: "Copier", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0))

    static let parameters = ParameterTree(Parameter("level", name: "Level", address: 5, range: 0...1, default: 0.5))

    init(_ setup: RenderSetup) throws(UnitError) {}

    @_noLocks mutating func apply(_ change: ParameterChange) {}

    @_noLocks mutating func render(_ block: RenderBlock) {
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = block.input[channel][frame] }
        }
    }

    @_noLocks mutating func reset() {}
}

@Suite(.timeLimit(.minutes(15))) struct RewiringTests {
    private typealias Wires = HandWiredUnit.Wires

    /// A unit that has greeted its host, on a thread of its own.
    private func start() throws -> HandWiredUnit {
        let (own, peer) = try ControlSocket.pair()
        let number = dup(peer.descriptor)
        try Thread(name: "unit") {
            ExtensionUnit(.unit(UnitDefinition(Copier.self)), control: Descriptor(owning: number)).run()
        }.detach()
        let unit = try HandWiredUnit(own)
        #expect(try unit.greet() == 3)
        return unit
    }

    /// A unit with resources, and the doorbells that it began with.
    private func startAllocated() throws -> (unit: HandWiredUnit, first: Wires) {
        let unit = try start()
        let first = try Wires(level: 0.25)
        try unit.allocate(first)
        return (unit, first)
    }

    @Test func eachRequestReadsTheInputOfItsOwnWiring() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(1, second) == nil)
        #expect(unit.play(wiring: 0, slot: 0, at: first.doorbell) == 0.25)
        // Both at once: the wiring changes between them, and at no other frame.
        let before = unit.publish(wiring: 0, slot: 1)
        unit.store(before + 1, in: second.doorbell)
        let after = unit.publish(wiring: 1, slot: 65)
        unit.grant(at: first.doorbell)
        #expect(unit.isAnswered())
        #expect(unit.level(before) == 0.25 && unit.level(after) == 0.5)
        #expect(unit.play(wiring: 1, slot: 64, at: second.doorbell) == 0.5)
    }

    @Test func theInletStaysReadableAndABusMayBeLeftSilent() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(2, second) == nil)
        #expect(unit.play(wiring: 0, slot: 255, at: first.doorbell) == 0)
        #expect(unit.changeOver(to: 2, second, from: first, slot: 1) == 0.25)
        #expect(unit.play(wiring: 2, slot: 65, at: second.doorbell) == 0.5)
        #expect(unit.play(wiring: 2, slot: 255, at: second.doorbell) == 0)
        #expect(unit.play(wiring: 2, slot: 0, at: second.doorbell) == 0.25)
    }

    @Test func anEventSplitsABlockOfAnyMemory() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(1, second) == nil)
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        var events = unit.region.hostToPluginWriter()
        for (slot, level) in [(65, 0.5), (255, 0), (1, 0.25)] as [(Int, Float)] {
            let sequence = unit.publish(wiring: 1, slot: slot)
            let isWritten = events.write(WireEvent(parameter: 5, value: 1, sampleTime: Int64(sequence) * 16 + 7))
            unit.region.request(sequence).pointee.eventCount = 1
            unit.grant(at: second.doorbell)
            #expect(isWritten && unit.isAnswered() && unit.status() == 0 && unit.level() == level)
        }
    }

    @Test func theUnitSleepsAtItsNewDoorbellAndTheFormerOneDoesNothing() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(1, second) == nil)
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        unit.publish(wiring: 1, slot: 64)
        unit.grant(at: first.doorbell)
        #expect(!unit.isAnswered(milliseconds: 50))
        unit.grant(at: second.doorbell)
        #expect(unit.isAnswered() && unit.level() == 0.5)
        // Back to the wiring of the allocation, whose doorbell holds an old number.
        #expect(unit.changeOver(to: 0, first, from: second, slot: 0) == 0.25)
        #expect(unit.play(wiring: 0, slot: 1, at: first.doorbell) == 0.25)
    }

    @Test func whatTheFormerDoorbellGrantsBeyondTheChangeIsNotRendered() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(1, second) == nil)
        unit.store(1, in: second.doorbell)
        unit.publish(wiring: 1, slot: 64)
        unit.publish(wiring: 1, slot: 64)
        unit.grant(at: first.doorbell)
        #expect(!unit.isAnswered(milliseconds: 50))
        #expect(unit.region.completedSequence.load() == 1 && unit.level(1) == 0.5)
        unit.grant(at: second.doorbell)
        #expect(unit.isAnswered())
    }

    @Test func eachRequestRingsTheDoorbellsOfItsOwnWiring() throws {
        let (unit, first) = try startAllocated()
        let (second, third) = (try Wires(level: 0.5), try Wires(level: 0.75))
        #expect(try unit.wire(1, second) == nil)
        #expect(try unit.wire(2, third, hasSuccessor: false) == nil)
        func rung() -> [UInt32] {
            [first, second, third].flatMap { [HandWiredUnit.value(of: $0.successor), HandWiredUnit.value(of: $0.hostDoorbell)] }
        }
        /// Rings come after the answer.
        func becomes(_ expected: [UInt32]) -> Bool {
            for _ in 0..<2000 where rung() != expected { Futex.pause(microseconds: 1000) }
            return rung() == expected
        }
        let one: UInt32 = 0x4000_0000
        unit.publish(wiring: 0, slot: 0, successorRing: 7)
        unit.grant(at: first.doorbell)
        #expect(unit.isAnswered() && becomes([7, 0, 0, 0, 0, 0]))
        unit.store(2, in: second.doorbell)
        unit.publish(wiring: 1, slot: 64, successorRing: 9)
        unit.grant(at: first.doorbell)
        #expect(unit.isAnswered() && becomes([7, 0, 9, 0, 0, 0]))
        #expect(unit.play(wiring: 1, slot: 64, at: second.doorbell) == 0.5)
        #expect(becomes([7, 0, 9, one, 0, 0]))
        // Without a successor the host is rung, whatever the request says.
        unit.store(4, in: third.doorbell)
        unit.publish(wiring: 2, slot: 64, successorRing: 11)
        unit.grant(at: second.doorbell)
        #expect(unit.isAnswered() && becomes([7, 0, 9, one, 0, one]))
    }

    @Test func aWiringThatDoesNotExistIsAnsweredAndChangesNothing() throws {
        let (unit, first) = try startAllocated()
        for wiring in [1, 3, 4, Int(UInt32.max)] {
            unit.publish(wiring: wiring, slot: 0)
            unit.grant(at: first.doorbell)
            #expect(unit.isAnswered() && unit.status() == UInt32(CWireLayout_replyMalformed))
        }
        for _ in 0..<2000 where HandWiredUnit.value(of: first.hostDoorbell) != 0 { Futex.pause(microseconds: 1000) }
        #expect(HandWiredUnit.value(of: first.hostDoorbell) == 0, "four rings, and it counts modulo four")
        #expect(unit.play(wiring: 0, slot: 0, at: first.doorbell) == 0.25)
    }

    @Test func aSlotThatItsWiringDoesNotHaveIsMalformed() throws {
        let (unit, first) = try startAllocated()
        let (second, third) = (try Wires(level: 0.5), try Wires(level: 0.75))
        #expect(try unit.wire(1, second) == nil)
        #expect(try unit.wire(2, third, isConnected: false) == nil)
        func status(_ wiring: Int, _ slot: Int, _ doorbell: SharedMemory) -> UInt32? {
            unit.publish(wiring: wiring, slot: slot)
            unit.grant(at: doorbell)
            return unit.isAnswered() ? unit.status() : nil
        }
        for slot in [2, 63, 64, 127, 128, 254] { #expect(status(0, slot, first.doorbell) == 2) }
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        for slot in [2, 63, 66, 127, 128, 254] { #expect(status(1, slot, second.doorbell) == 2) }
        #expect(unit.changeOver(to: 2, third, from: second, slot: 255) == 0)
        #expect(status(2, 64, third.doorbell) == 2)
        #expect(unit.play(wiring: 2, slot: 0, at: third.doorbell) == 0.25)
    }

    @Test func aWiringThatIsNotInUseMayBeReplaced() throws {
        let (unit, first) = try startAllocated()
        var current = first
        for round in 0..<40 {
            let number = 1 + round % 2
            let next = try Wires(level: Float(round) / 64)
            #expect(try unit.wire(number, next) == nil)
            #expect(unit.changeOver(to: number, next, from: current) == Float(round) / 64)
            #expect(try unit.wire(number, next) == "wiring \(number) is in use")
            #expect(unit.play(wiring: number, slot: 64, at: next.doorbell) == Float(round) / 64)
            current = next
        }
    }

    @Test func aWiringThatMakesNoSenseIsRefusedAndTheUnitPlaysOn() throws {
        let fresh = try start()
        #expect(try fresh.wire(1, Wires(level: 1)) == "wiring is not allowed while no render resources are allocated")
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        for number in [0, 4, Int(UInt32.max)] { #expect(try unit.wire(number, second) == "there is no wiring \(number)") }
        func refusal(_ connections: [InputConnection?], _ descriptors: [Int32]? = nil) throws -> String? {
            let all =
                try [second.doorbell.readOnlyDescriptor().release(), dup(second.hostDoorbell.descriptor)]
                + connections.map { _ in try second.input.readOnlyDescriptor().release() }
            let message = HostMessage.wire(Rewiring(number: 1, connections: connections, hasSuccessor: false))
            guard case .refused(let reason) = try unit.ask(message, descriptors ?? all) else { return nil }
            return reason
        }
        let good = InputConnection(layout: HandWiredUnit.layout, firstChannel: 0)
        #expect(try refusal([good, good]) == "the wiring has 2 inputs, and the unit 1")
        #expect(try refusal([]) == "the wiring has 0 inputs, and the unit 1")
        #expect(try refusal([good], []) == "no descriptor for the doorbell")
        #expect(try refusal([InputConnection(layout: good.layout, firstChannel: 1)])?.contains("outside the memory") == true)
        let low = AudioMemoryLayout(slotCount: 2, channelCount: 1, maximumFrameCount: 48)
        #expect(try refusal([InputConnection(layout: low, firstChannel: 0)]) == "an input has room for 48 frames")
        let large = AudioMemoryLayout(slotCount: 64, channelCount: 1, maximumFrameCount: 64)
        #expect(try refusal([InputConnection(layout: large, firstChannel: 0)])?.hasPrefix("audio memory of 4096 bytes") == true)
        // None of them has come to be.
        unit.publish(wiring: 1, slot: 0)
        unit.grant(at: first.doorbell)
        #expect(unit.isAnswered() && unit.status() == 2)
        #expect(unit.play(wiring: 0, slot: 0, at: first.doorbell) == 0.25)
        #expect(try refusal([good]) == nil)
    }

    @Test func resourcesThatAreTakenBackTakeAllWiringsAlong() throws {
        let (unit, first) = try startAllocated()
        let second = try Wires(level: 0.5)
        #expect(try unit.wire(1, second) == nil)
        #expect(unit.changeOver(to: 1, second, from: first) == 0.5)
        #expect(try unit.ask(.deallocate) == .done)
        let again = try startAllocated()
        #expect(again.unit.play(wiring: 0, slot: 0, at: again.first.doorbell) == 0.25)
    }

    /// Both units live in this process, so the thread of the first may render the second; its own thread is woken meanwhile.
    @Test func noRingIsLostWhenAnotherThreadRendersTheChange() throws {
        let (one, two) = (try start(), try start())
        var second = try Wires(input: one.output)
        var first = try Wires(level: 0.25, successor: second.doorbell)
        try one.allocate(first)
        try two.allocate(second)
        var wiring = 0
        /// A cycle in which the first unit rings the second one, perhaps with the host.
        func play(_ number: Int, hostRings: Bool = false) -> Bool {
            two.publish(wiring: number, slot: Int(one.sequence + 1) % 2 + (number == 0 ? 0 : 64))
            one.publish(wiring: wiring, slot: wiring == 0 ? 0 : 64, successorRing: UInt32(two.sequence))
            one.grant(at: first.doorbell)
            if hostRings, one.isAnswered() { two.grant(at: second.doorbell) }
            return two.isAnswered() && one.isAnswered() && two.status() == 0 && two.level() == 0.25
        }
        #expect(play(0))
        for round in 0..<300 {
            let number = 1 + round % 3
            let nextSecond = try Wires(input: one.output)
            let nextFirst = try Wires(level: 0.25, successor: nextSecond.doorbell)
            try #require(try one.wire(number, nextFirst) == nil && two.wire(number, nextSecond) == nil)
            // The former predecessor rings at the former doorbell while the host does.
            two.store(two.sequence + 1, in: nextSecond.doorbell)
            try #require(play(number, hostRings: true), "round \(round)")
            one.store(one.sequence + 1, in: nextFirst.doorbell)
            try #require(one.play(wiring: number, slot: 64, at: first.doorbell) == 0.25)
            (first, second, wiring) = (nextFirst, nextSecond, number)
            try #require(play(number) && play(number), "round \(round)")
        }
    }
}
