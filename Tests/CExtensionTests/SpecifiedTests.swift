// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the protocol says of the rarer cases, in an extension in C and in one in Swift. Test thread.

import AudioUnits
import CWireLayout
import Confinement
import ControlMessages
import HostingTestSupport
import LinuxSystem
import RawHosting
import TestSupport
import Testing
import Wire

@testable import PluginHosting

/// A plug-in and one of its parameters.
struct SpecifiedUnit: Sendable, CustomTestStringConvertible {
    let name: String
    let component: ComponentDescription
    let version: UnitVersion
    let keyPath: String
    let address: UInt64
    var testDescription: String { name }

    static let all = [
        SpecifiedUnit(
            name: "Tremolo", component: ComponentDescription(.effect, "trml", "test"), version: UnitVersion(1, 2, 3),
            keyPath: "depth", address: 7002),
        SpecifiedUnit(
            name: "Gain", component: ComponentDescription(.effect, "gain", "blkh"), version: UnitVersion(1, 0, 0),
            keyPath: "gain", address: 0),
    ]
}

@Suite(.serialized) struct SpecifiedTests {
    /// A process with resources, whose host is the test.
    private func start(_ specified: SpecifiedUnit) throws -> (HandWiredUnit, HandWiredUnit.Wires) {
        let isBuilt = specified.name == "Gain"
        let component = isBuilt ? try Build.component(specified.name) : try CExtension.component(specified.name)
        let (near, far) = try ControlSocket.pair()
        let process = try ChildProcess(path: component.executablePath, arguments: [], environment: [:], control: far)
        let unit = try HandWiredUnit(near, of: process)
        _ = try unit.greet()
        let wires = try HandWiredUnit.Wires(level: 0.25)
        try unit.allocate(wires)
        return (unit, wires)
    }

    private func value(_ specified: SpecifiedUnit, of unit: HandWiredUnit) throws -> Double? {
        guard case .state(let state) = try unit.ask(.saveState) else { return nil }
        return state.values[specified.keyPath]
    }

    /// Renders a block of 16 frames from `sampleTime` on, which takes so many events.
    private func play(_ unit: HandWiredUnit, _ wires: HandWiredUnit.Wires, at sampleTime: Int64, events: UInt32 = 0) {
        unit.publish(wiring: 0, slot: 0)
        unit.region.request(unit.sequence).pointee.sampleTime = sampleTime
        unit.region.request(unit.sequence).pointee.eventCount = events
        unit.grant(at: wires.doorbell)
        #expect(unit.isAnswered())
    }

    @Test(arguments: SpecifiedUnit.all, [1e6, -1e6, .infinity, -.infinity, .nan])
    func aStateWithAValueThatCannotBeIsRefusedAndChangesNothing(specified: SpecifiedUnit, value: Double) throws {
        let (unit, _) = try start(specified)
        var state = FullState(component: specified.component, version: specified.version, values: [specified.keyPath: 5])
        guard case .state = try unit.ask(.restoreState(state)) else {
            Issue.record("it refuses a good state")
            return
        }
        state.values[specified.keyPath] = value
        guard case .refused = try unit.ask(.restoreState(state)) else {
            Issue.record("it takes \(value)")
            return
        }
        #expect(try self.value(specified, of: unit) == 5)
    }

    @Test(arguments: SpecifiedUnit.all)
    func inMidRampTheStateHoldsTheTarget(specified: SpecifiedUnit) throws {
        let (unit, wires) = try start(specified)
        var writer = unit.region.hostToPluginWriter()
        let change = ParameterChange(address: specified.address, value: 20, rampFrameCount: 10_000)
        let isWritten = writer.write(RenderEvent.parameter(change).wireEvent(at: 0))
        #expect(isWritten)
        play(unit, wires, at: 0, events: 1)
        #expect(try value(specified, of: unit) == 20)
    }

    @Test(arguments: SpecifiedUnit.all)
    func afterAJumpQueuedEventsKeepTheirTimes(specified: SpecifiedUnit) throws {
        let (unit, wires) = try start(specified)
        var writer = unit.region.hostToPluginWriter()
        for (time, value) in [(1000, 10.0), (5000, 20.0)] {
            let event = RenderEvent.parameter(ParameterChange(address: specified.address, value: value))
            let isWritten = writer.write(event.wireEvent(at: Int64(time)))
            #expect(isWritten)
        }
        play(unit, wires, at: 0, events: 2)
        #expect(try value(specified, of: unit) == 0)
        play(unit, wires, at: 2000)
        #expect(try value(specified, of: unit) == 10)
        play(unit, wires, at: 100)
        #expect(try value(specified, of: unit) == 10)
        play(unit, wires, at: 4992)
        #expect(try value(specified, of: unit) == 20)
    }

    @Test(arguments: SpecifiedUnit.all)
    func aRefusedRequestHasNoFramesAndItsEventsCount(specified: SpecifiedUnit) throws {
        let (unit, wires) = try start(specified)
        var writer = unit.region.hostToPluginWriter()
        let event = RenderEvent.parameter(ParameterChange(address: specified.address, value: 20))
        let isWritten = writer.write(event.wireEvent(at: 0))
        #expect(isWritten)
        unit.publish(wiring: 0, slot: 0)
        let request = unit.region.request(unit.sequence)
        (request.pointee.inputFrameCount, request.pointee.outputFrameCount, request.pointee.eventCount) = (65, 65, 1)
        unit.grant(at: wires.doorbell)
        #expect(unit.isAnswered())
        let reply = unit.region.reply(unit.sequence).pointee
        #expect(reply.status == UInt32(CWireLayout_replyTooManyFrames))
        #expect(reply.outputFrameCount == 0 && reply.inputFrameCount == 0)
        play(unit, wires, at: 0)
        #expect(try value(specified, of: unit) == 20)
    }
}
