// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins as units: their parameters and their sound. Test thread.

import AudioUnits
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LV2UnitTests {
    @Test func portsBecomeParameters() throws {
        let unit = try LV2.unit("ports")
        let keyPaths = [
            "level", "mode", "bang", "enabled", "tone.cutoff", "tone.slope", "boundless", "odd", "modeIs", "bangs", "isFree",
        ]
        #expect(unit.parameters.parameters.map(\.keyPath) == keyPaths)
        func parameter(_ keyPath: String) throws -> Parameter { try #require(unit.parameters[keyPath: keyPath]) }
        let level = try parameter("level")
        #expect(level.range == 0...2 && level.defaultValue == 1 && level.unit == .linearGain && level.flags == .canRamp)
        let mode = try parameter("mode")
        #expect(mode.valueStrings == ["Low", "Middle", "High"] && mode.defaultValue == 1 && mode.unit == .indexed)
        #expect(try parameter("enabled").defaultValue == 1)
        let cutoff = try parameter("tone.cutoff")
        #expect(cutoff.unit == .hertz && cutoff.flags == [.canRamp, .logarithmic])
        let slope = try parameter("tone.slope")
        #expect(slope.range == 0...24_000 && slope.defaultValue == 12_000)
        #expect(try parameter("boundless").range == 0...10)
        let odd = try parameter("odd")
        #expect(odd.range == -7...7 && odd.defaultValue == 0)
        #expect(try parameter("modeIs").flags == .meter)
    }

    /// Values without names, and names beyond the range, go on as they are.
    @Test func aScalePointNamesAValueOfAnyPort() throws {
        let unit = try LV2.unit("ports")
        let level = try #require(unit.parameters[keyPath: "level"])
        #expect(level.namedValues == [NamedValue(0, "Mute"), NamedValue(0.5, "Half = Rear")])
        #expect(level.value(from: "half = rear") == 0.5 && level.value(from: "0.25") == 0.25 && level.value(from: "Beyond") == nil)
        #expect(level.string(from: 0.5) == "Half = Rear" && level.string(from: 0.25) == "0.25")
        let bang = try #require(unit.parameters[keyPath: "bang"])
        #expect(bang.valueStrings == ["Rest", "Strike"] && bang.unit == .boolean)
        #expect(bang.value(from: "strike") == 1 && bang.value(from: "on") == 1 && bang.value(from: "off") == 0)
        try unit.set("level", to: try #require(level.value(from: "Half = Rear")))
        #expect(try UnitBench().render(unit, LV2.constant(0.5)) == LV2.constant(0.25))
    }

    @Test func aPresetHoldsWhatItsPortsTake() throws {
        let unit = try LV2.unit("ports")
        #expect(unit.factoryPresets == [FactoryPreset("Loud", ["level": 2, "mode": 2, "tone.cutoff": 20_000])])
        try unit.selectFactoryPreset("loud")
        #expect(try UnitBench().render(unit, LV2.constant(0.25)) == LV2.constant(0.5))
    }

    @Test(
        .enabled(if: Machine.givesFolders, "without mount namespaces a confined process has no /tmp"),
        .enabled(if: LV2.callsManifestWriters, "the lilv of this system asks no library to describe its plug-ins"))
    func aPluginWhoseLibraryDescribesItIsRenderedAsAnyOther() throws {
        let component = try Bridges.component("lv2:urn:bulkhead:test:dynamic", at: LV2.folder + "/dynamic.lv2", .lv2)
        #expect(try UnitBench().render(HostedUnit(component), LV2.constant(0.25)) == LV2.constant(0.75))
    }

    @Test(arguments: [false, true])
    func aStereoPluginIsOneInstance(inProcess: Bool) throws {
        let unit = try LV2.unit("swap", inProcess: inProcess)
        let input = [[Float](repeating: 0.5, count: 1000), [Float](repeating: -1, count: 1000)]
        #expect(try UnitBench().render(unit, input) == [input[1], input[0]])
    }

    @Test func aMonoPluginRendersEachChannelWithSharedParameters() throws {
        let unit = try LV2.unit("ports")
        try unit.set("level", to: 2)
        let input = [[Float](repeating: 0.5, count: 1000), [Float](repeating: -1, count: 1000)]
        #expect(try UnitBench().render(unit, input) == input.map { $0.map { $0 * 2 } })
    }

    @Test(arguments: [false, true])
    func theSideChainHearsTheChain(inProcess: Bool) throws {
        let unit = try LV2.unit("ports", inProcess: inProcess)
        try unit.set("level", to: 0)
        let input = [[Float](repeating: 0.5, count: 1000), [Float](repeating: -1, count: 1000)]
        #expect(try UnitBench(sideChannelCount: 2).render(unit, input) == input, "each instance hears its own channel")
    }

    @Test(arguments: [false, true])
    func aSignalControlsWhatItIsConnectedTo(inProcess: Bool) throws {
        let unit = try LV2.unit("controlled", inProcess: inProcess)
        #expect(unit.description.inputs.map(\.name) == ["Input", "CV"])
        let input = [(0..<1000).map { Float($0) / 1000 }]
        #expect(try UnitBench().render(unit, input) == [[Float](repeating: 0, count: 1000)], "nothing is connected")
        let other = try LV2.unit("controlled", inProcess: inProcess)
        #expect(try UnitBench(sideChannelCount: 1).render(other, input) == input.map { $0.map { $0 * $0 } })
    }

    /// Bypassed, this plug-in halves its input, which the host's own bypass would not.
    @Test(arguments: [false, true])
    func aPluginWithABypassOfItsOwnIsBypassedByIt(inProcess: Bool) throws {
        let unit = try LV2.unit("ports", inProcess: inProcess)
        var row: UnitRow?
        var bench = UnitBench(beforeBlock: { start, unit in
            if start == 256 { row?.members[0].isBypassed = true }
            // What the user switches meanwhile takes effect afterwards.
            if start == 512 { try unit.set("enabled", to: 0) }
            if start == 768 { try unit.set("enabled", to: 1) }
            if start == 1024 { row?.members[0].isBypassed = false }
            if start == 1280 { try unit.set("enabled", to: 0) }
        })
        bench.withRow = { row = $0 }
        let output = try bench.render(unit, LV2.constant(0.5, frames: 1536))[0]
        let halved = [256..<1024, 1280..<1536]
        #expect(output == (0..<1536).map { frame in halved.contains { $0.contains(frame) } ? 0.25 : 0.5 })
    }

    @Test func whatAPluginSaysOfItselfReachesTheHost() throws {
        let unit = try LV2.unit("ports")
        try unit.set("mode", to: 2)
        let bench = UnitBench(beforeBlock: { start, unit in if start == 1024 { try unit.set("bang", to: 1) } })
        _ = try bench.render(unit, LV2.constant(0, frames: 4096))
        #expect(awaited { unit.values.byKeyPath["modeIs"] == 80 }, "the value of the scale point, not its index")
        #expect(awaited { unit.values.byKeyPath["isFree"] == 1 }, "offline is free-wheeling")
        #expect(awaited { unit.values.byKeyPath["bangs"] == 1 }, "a trigger acts once")
        #expect(awaited { unit.values.byKeyPath["bang"] == 0 }, "and goes back by itself")
        #expect(try unit.saveState().values["bang"] == 0)
    }

    @Test func aChangeIsHeardAtItsFrameAndARampInSteps() throws {
        let unit = try LV2.unit("ports")
        let bench = UnitBench(beforeBlock: { start, unit in
            guard start == 0 else { return }
            try unit.schedule("level", to: 0, at: 100)
            try unit.schedule("level", to: 2, at: 256, rampFrameCount: 128)
        })
        let output = try bench.render(unit, LV2.constant(1, frames: 512))[0]
        #expect(output[..<100].allSatisfy { $0 == 1 } && output[100..<256].allSatisfy { $0 == 0 })
        #expect(output[256..<320].allSatisfy { $0 == 0 } && output[320..<384].allSatisfy { $0 == 1 })
        #expect(output[384...].allSatisfy { $0 == 2 })
    }

    @Test func latencyIsKnownBeforeTheFirstBlock() throws {
        let unit = try LV2.unit("late")
        do {
            let resources = try UnitResources(
                unit, format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 1))
            #expect(resources.latencyFrameCount == 32)
        }
        let input = (0..<512).map { Float($0) }
        #expect(try UnitBench().render(unit, [input])[0] == [Float](repeating: 0, count: 32) + input.prefix(480))
    }

    @Test(arguments: [256, 100, 1000])
    func aPluginThatWantsBlocksOfOneLengthGetsThem(blockSize: Int) throws {
        let unit = try LV2.unit("fixed")
        let input = (0..<4096).map { Float($0) / 4096 }
        let output = try UnitBench(blockSize: blockSize).render(unit, [input])[0]
        #expect(output[..<256].allSatisfy { $0 == 0 })
        #expect(Array(output[256...]) == input[..<(4096 - 256)].map { $0 * 2 })
        #expect(awaited { unit.values.byKeyPath["length"] == 256 })
        let resources = try UnitResources(
            unit, format: BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 1))
        #expect(resources.latencyFrameCount == 256)
    }

    @Test(arguments: [false, true])
    func midiComesBackAtItsFrameAndTheSongPositionOnce(inProcess: Bool) throws {
        let unit = try LV2.unit("echo", inProcess: inProcess)
        let bench = UnitBench(beforeBlock: { start, unit in
            if start == 256 { try unit.send(MIDIMessage(0x90, 60, 100), at: 300) }
            if start == 512 { try unit.send(MIDIMessage(low: 0x0302_0100_7F7E_7DF0, high: 0xF7, byteCount: 9), at: 512) }
        })
        let input = LV2.constant(0.5, frames: 4096)
        #expect(try bench.render(unit, input) == input, "audio passes a plug-in that has none")
        var received: [ReceivedMIDI] = []
        #expect(
            awaited {
                received += unit.takeMIDI()
                return received.count == 2
            })
        #expect(received.first?.message == MIDIMessage(0x90, 60, 100) && received.first?.sampleTime == 300)
        #expect(received.last?.message == MIDIMessage(low: 0x0302_0100_7F7E_7DF0, high: 0xF7, byteCount: 9))
        #expect(awaited { unit.values.byKeyPath["bpm"] == 120 && unit.values.byKeyPath["speed"] == 1 })
        #expect(awaited { unit.values.byKeyPath["count"] == 1 }, "a song that goes on is no news")
    }

    /// A message in three pieces, between which a note comes, is one atom for the plug-in; without its end it is none.
    @Test func aLongMessageReachesThePluginWhole() throws {
        let unit = try LV2.unit("echo")
        let bytes: [UInt8] = [0xF0] + (0..<40) + [0xF7]
        let pieces = MIDIMessage.pieces(of: bytes)
        let bench = UnitBench(beforeBlock: { start, unit in
            guard start == 256 else { return }
            for piece in pieces.dropLast() + pieces.dropLast() { try unit.send(piece, at: 300) }
            try unit.send(MIDIMessage(0x90, 60, 100), at: 300)
            try unit.send(pieces[2], at: 310)
        })
        _ = try bench.render(unit, LV2.constant(0, frames: 4096))
        var received: [ReceivedMIDI] = []
        #expect(
            awaited {
                received += unit.takeMIDI()
                return received.count >= 4
            })
        #expect(received.first?.message == MIDIMessage(0x90, 60, 100))
        #expect(received.dropFirst().map(\.message) == pieces && received.dropFirst().allSatisfy { $0.sampleTime == 310 })
    }

    /// Waits for what the unit has sent.
    private func awaited(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if condition() { return true }
            Futex.pause(microseconds: 1000)
        }
        return condition()
    }
}
