// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host that hangs up in haste, and one that says nothing but nonsense: neither does a unit any harm. Test thread.

import AudioUnits
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

@Suite(.serialized) struct HostileHostTests {
    /// A process of this bundle, and the host's end of its control channel.
    private func start(_ name: String) throws -> (ChildProcess, ControlSocket) {
        let component = name == "Gain" ? try Build.component(name) : try CExtension.component(name)
        let (near, far) = try ControlSocket.pair()
        return (try ChildProcess(path: component.executablePath, arguments: [], environment: [:], control: far), near)
    }

    @Test(arguments: ["Tremolo", "Gain"]) func aHostThatLeavesAnAnswerUnreadHasHungUp(name: String) throws {
        let process = try startAndHangUp(name)
        #expect(process.wait(milliseconds: 2000) == .exited(code: 0))
    }

    /// Asks, waits until the answer has come, and closes the socket without reading it: the unit's next read fails with ECONNRESET.
    private func startAndHangUp(_ name: String) throws -> ChildProcess {
        let (process, socket) = try start(name)
        let hello = HostMessage.hello(.own, hostName: "Test", locator: [])
        try ControlChannel(socket).send(MessageFrame(kind: hello.kind, serial: 1, body: hello.body))
        var wait = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 5000) == 1)
        return process
    }

    @Test(arguments: ["Tremolo", "Gain"]) func nonsenseOnTheControlChannelIsAnsweredAndChangesNothing(name: String) throws {
        let (process, socket) = try start(name)
        let channel = ControlChannel(socket)
        var random = Seed()
        func ask(_ kind: UInt16, _ body: [UInt8], _ serial: UInt32) throws -> PluginMessage {
            try channel.send(MessageFrame(kind: kind, serial: serial, body: body))
            let answer = try channel.receive(timeoutMilliseconds: 5000).frame
            #expect(answer.serial == serial)
            return try PluginMessage(kind: answer.kind, body: answer.body)
        }
        for serial in 1...600 {
            var message = Self.specimens.randomElement(using: &random)!.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) { Self.damage(&message.body, using: &random) }
            _ = try ask(message.kind, message.body, UInt32(serial))
        }
        guard case .state = try ask(HostMessage.saveState.kind, [], 1000) else {
            Issue.record("no state")
            return
        }
        #expect(process.wait(milliseconds: 0) == nil)
    }

    /// Messages that a host sends, without the descriptors that should come with them; no `hello`, whose refusal ends a unit.
    private static let specimens: [HostMessage] = {
        let buses = [BusFormat(channelCount: 1, layout: .usual(1))]
        let layout = HandWiredUnit.layout
        let component = ComponentDescription(.effect, "trml", "test")
        return [
            .setParameters([ParameterSetting(address: 7002, value: 50)]),
            .selectPreset(0), .saveState, .reset, .deallocate, .setText(identifier: "a", value: "b"),
            .listUnits(location: "/"), .addUnit(library: ""),
            .restoreState(
                FullState(
                    component: component, version: UnitVersion(1, 2, 3), values: ["depth": 20, "rate": 3], custom: [1, 2, 3])),
            .allocate(
                Allocation(
                    sampleRate: 48_000, maximumFrameCount: 64, inputs: buses, outputs: buses, output: layout,
                    connections: [InputConnection(layout: layout, firstChannel: 0)], hasSuccessor: true)),
            HandWiredUnit.message(1),
        ]
    }()

    private static func damage(_ body: inout [UInt8], using random: inout Seed) {
        switch Int.random(in: 0...3, using: &random) {
        case 0:
            body.append(
                contentsOf: (0..<Int.random(in: 1...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 1: body.removeLast(Int.random(in: 0...body.count, using: &random))
        default:
            guard let position = body.indices.randomElement(using: &random) else { return }
            body[position] = UInt8.random(in: 0...255, using: &random)
        }
    }

    @Test(arguments: ["Tremolo", "Gain"]) func nonsenseInTheRequestsIsAnsweredAndRendersOn(name: String) throws {
        let (process, socket) = try start(name)
        let unit = try HandWiredUnit(socket, of: process)
        _ = try unit.greet()
        let wires = try HandWiredUnit.Wires(level: 0.25)
        try unit.allocate(wires)
        var random = Seed()
        for _ in 0..<300 {
            unit.publish(wiring: 0, slot: 0)
            let request = UnsafeMutableRawBufferPointer(start: unit.region.request(unit.sequence), count: 128)
            // The sequence stays, now and then, so that the rest is looked at.
            for position in Bool.random(using: &random) ? 8..<128 : 0..<128 where Int.random(in: 0...7, using: &random) == 0 {
                request[position] = UInt8.random(in: 0...255, using: &random)
            }
            unit.grant(at: wires.doorbell)
            #expect(unit.isAnswered())
        }
        #expect(process.wait(milliseconds: 0) == nil)
        #expect(unit.play(wiring: 0, slot: 0, at: wires.doorbell) != nil)
    }
}

extension HostMessage {
    fileprivate var bytes: (kind: UInt16, body: [UInt8]) { (kind, body) }
}
