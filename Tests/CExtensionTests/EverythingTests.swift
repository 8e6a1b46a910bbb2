// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the library for extensions in C does beyond the example: latency, bypass, MIDI, side chains. Test thread.

import AudioUnits
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@Suite(.serialized) struct EverythingTests {
    private let unit: HostedUnit
    private let noise = CExtension.noise(2000)

    init() throws { unit = try CExtension.unit("Everything") }

    private func late(_ sample: [Float]) -> [Float] { [Float](repeating: 0, count: 64) + sample.dropLast(64) }

    @Test func itSaysWhatItIs() {
        #expect(unit.description.component.description == "aumf:evry:test")
        #expect(unit.description.inputs.map(\.name) == ["Input", "Side Chain"])
        #expect(unit.description.outputs.map(\.isOptional) == [false, true])
        #expect(unit.description.flags.contains(.midiInput))
    }

    @Test(arguments: [1, 7, 64]) func aMIDIMessageIsHeardAtItsFrame(blockSize: Int) throws {
        var bench = try CExtension.bench([unit], input: [[Float](repeating: 0, count: 256)])
        try unit.send(MIDIMessage(0x90, 60, 127), at: 70)
        let output = try bench.renderInput(blockSize: blockSize)[0]
        #expect(output.indices.filter { output[$0] != 0 } == [70] && output[70] == 1)
    }

    @Test(arguments: [false, true]) func itsLatencyIsThatOfItsSoundAndOfTheBypass(isBypassed: Bool) throws {
        if isBypassed { try unit.set("gain", to: 0) }
        var bench = try CExtension.bench([unit], input: noise)
        bench.row.members[0].isBypassed = isBypassed
        #expect(bench.row.latencyFrameCount == 64)
        #expect(try bench.renderInput() == noise.map(late))
    }

    @Test func itKnowsTheSpeakerOfEachChannel() throws {
        let layout = ChannelLayout([.lowFrequency, .frontCenter])
        var told = try CExtension.bench([unit], input: noise, layout: layout)
        #expect(try told.renderInput() == [late(noise[0].map { -$0 }), late(noise[1])])
        var untold = try CExtension.bench([try CExtension.unit("Everything")], input: noise)
        #expect(try untold.renderInput() == noise.map(late))
    }

    /// From the unit to the dry signal in 10 ms, and never by a step.
    @Test func theBypassFades() throws {
        try unit.set("gain", to: 0)
        let ones = [[Float](repeating: 1, count: 1600)]
        var bench = try CExtension.bench([unit], input: ones)
        let row = bench.row
        let output = try bench.renderInput { frames in
            if frames.lowerBound == 320 { row.members[0].isBypassed = true }
        }[0]
        #expect(output[..<321].allSatisfy { $0 == 0 } && output[800...].allSatisfy { $0 == 1 })
        for frame in 0...480 { #expect(abs(output[320 + frame] - Float(frame) / 480) < 1e-5) }
    }
}
