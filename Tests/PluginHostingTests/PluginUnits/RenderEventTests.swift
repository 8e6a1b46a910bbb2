// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Blocks with events at frames and with several buses: where each takes effect, and the same bits wherever the unit lives.

import AudioUnits
import Glibc
import Realtime
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(2))) struct RenderEventTests {
    private static let half = [[Float]](repeating: [Float](repeating: 0.5, count: 64), count: 2)
    private static let gain: UInt64 = 100

    @Test(arguments: [false, true])
    func aParameterChangesAtItsFrame(inProcess: Bool) throws {
        let bench = try BlockBench("Probe", inProcess: inProcess, inputs: [Self.half])
        try bench.unit.allocateRenderResources()
        let output = bench.render(512, [.parameter(Self.gain, to: 2, at: 100), .parameter(Self.gain, to: -1, at: 511)])
        #expect(output[0][99] == 0.5 && output[0][100] == 1 && output[1][510] == 1 && output[1][511] == -0.5)
        #expect(bench.statuses == [.rendered])
        let unit = bench.unit
        #expect(waitUntil(milliseconds: 5000) { unit.value(of: "level.gain") == -1 })
    }

    @Test func aRampGoesOnInTheNextBlock() throws {
        let bench = try BlockBench("Probe", inputs: [Self.half])
        try bench.unit.allocateRenderResources()
        let output = bench.render(blocks: [64, 64, 64], [.parameter(Self.gain, to: 3, at: 50, rampFrameCount: 64)])[0]
        #expect(output[50] == 0.5 && output[82] == 1 && output[113] < 1.5 && output[114] == 1.5 && output[191] == 1.5)
    }

    @Test(arguments: [false, true])
    func aNoteBeginsAndEndsAtItsFrame(inProcess: Bool) throws {
        let bench = try BlockBench("Scribe", inProcess: inProcess, inputs: [], outputs: [4], channelCount: 4)
        try bench.unit.allocateRenderResources()
        let notes: [BlockEvent] = [
            .midi(MIDIMessage(0x90, 60, 100), at: 37), .midi(MIDIMessage(0x90, 64, 1), at: 37),
            .midi(MIDIMessage(0x80, 60), at: 200),
        ]
        let output = bench.render(blocks: [128, 128], notes)
        #expect(output[0][37] == Float(101 + 128 * 124) / 1024 && output[0].count { $0 != 0 } == 1)
        #expect(output[1][200] == 1 && output[2][36] == 0 && output[2][199] == 2 && output[2][200] == 1)
    }

    @Test(arguments: [false, true])
    func aSideChainIsABusOfTheBlock(inProcess: Bool) throws {
        let side = [[Float]](repeating: [Float](repeating: 0.25, count: 64), count: 2)
        let bench = try BlockBench("Probe", inProcess: inProcess, inputs: [Self.half, side], sideInputs: [2])
        try bench.unit.allocateRenderResources()
        #expect(bench.unit.sideInputs == [2])
        #expect(bench.render(100, []).allSatisfy { $0.allSatisfy { $0 == 0.75 } })
        // Without the bus it is silent.
        let memory = AudioBuffer(channelCount: 2, frameCapacity: 64)
        let block = memory.block(frameCount: 64)
        for channel in 0..<2 { for frame in 0..<64 { block[channel][frame] = 0.5 } }
        let blocks = [block]
        #expect(bench.unit.renderBlock(blocks, into: blocks, frameCount: 64) == .rendered && block[1][63] == 0.5)
        #expect(bench.unit.renderBlock(block, into: block) == .rendered && block[1][63] == 0.5)
    }

    @Test(arguments: [false, true])
    func furtherOutputsAreBusesOfTheBlock(inProcess: Bool) throws {
        let mono = [[Float](repeating: 0.5, count: 64)]
        let bench = try BlockBench("Splitter", inProcess: inProcess, inputs: [mono], outputs: [2, 1, 4], channelCount: 1)
        try bench.unit.allocateRenderResources()
        let output = bench.render(96, [.parameter(1, to: 2, at: 48)])
        #expect(output.map { $0[47] } == [0.5, 0.5, -0.5, 0.25, 0.25, 0.25, 0.25])
        #expect(output.map { $0[48] } == [1, 1, -1, 0.5, 0.5, 0.5, 0.5])
        // A narrower block gets the first channels, a wider one silence, and a missing one nothing.
        let memory = AudioBuffer(channelCount: 4, frameCapacity: 64)
        let all = memory.block(frameCount: 64)
        all.silence()
        for frame in 0..<64 { (all[0][frame], all[3][frame]) = (0.5, 9) }
        let inputs = [AudioBlock(channels: all.channels, channelCount: 1, frameCount: 64)]
        let outputs = [inputs[0], AudioBlock(channels: all.channels + 2, channelCount: 2, frameCount: 64)]
        #expect(bench.unit.renderBlock(inputs, into: outputs, frameCount: 64) == .rendered)
        #expect(all[0][63] == 1 && all[1][63] == 0 && all[2][63] == -1 && all[3][63] == 0)
    }

    /// Random events for a unit, at frames below `frameCount`, in order.
    private func events(for unit: PluginUnit, _ frameCount: Int, using random: inout SeededRandom) -> [BlockEvent] {
        let parameters = unit.parameterTree.parameters.map(\.parameter).filter { $0.flags.isDisjoint(with: [.readOnly, .meter]) }
        let isPlayed = unit.unitDescription.flags.contains(.midiInput)
        return (0..<60).map { _ in Int.random(in: 0..<frameCount, using: &random) }.sorted().map { frame in
            if isPlayed, Bool.random(using: &random) {
                let key = UInt8.random(in: 48...72, using: &random)
                return .midi(MIDIMessage(Bool.random(using: &random) ? 0x90 : 0x80, key, 100), at: frame)
            }
            let parameter = parameters.randomElement(using: &random)!
            let value = Double.random(in: parameter.range, using: &random)
            return .parameter(
                parameter.address, to: parameter.flags.contains(.integer) ? value.rounded() : value, at: frame,
                rampFrameCount: .random(in: 0...500, using: &random))
        }
    }

    /// The bits that a unit puts out.
    private func bits(
        _ name: String, inProcess: Bool, blocks: [Int], seed: UInt64, kill frame: Int? = nil
    ) throws -> [[UInt32]] {
        var random = SeededRandom(seed: seed)
        let total = blocks.reduce(0, +)
        let input = (0..<2).map { _ in TestSignal.noise(frames: total, using: &random) }
        let isInstrument = name == "Synth"
        let bench = try BlockBench(name, inProcess: inProcess, inputs: isInstrument ? [] : [input])
        try bench.unit.allocateRenderResources()
        let events = events(for: bench.unit, total, using: &random)
        var joined: [[UInt32]] = [[], []]
        for size in blocks {
            if let frame, bench.sampleTime <= frame, frame < bench.sampleTime + size, let process = bench.unit.processIdentifier {
                Glibc.kill(process, SIGKILL)
            }
            for (channel, samples) in bench.render(size, events).enumerated() { joined[channel] += samples.map(\.bitPattern) }
        }
        #expect(bench.statuses.allSatisfy { $0 == .rendered })
        return joined
    }

    /// Blocks of one size, or of random sizes.
    private func blocks(_ size: Int?, using random: inout SeededRandom) -> [Int] {
        var (blocks, total) = ([Int](), 0)
        while total < 8000 {
            blocks.append(min(8000 - total, size ?? .random(in: 1...1024, using: &random)))
            total += blocks[blocks.count - 1]
        }
        return blocks
    }

    @Test(arguments: ["Delay", "Equalizer", "Synth"])
    func theySoundTheSameInAndOutOfProcess(name: String) throws {
        var random = SeededRandom(seed: Seed.chosen)
        for size in [64, 509, nil] {
            let blocks = blocks(size, using: &random)
            let apart = try bits(name, inProcess: false, blocks: blocks, seed: 3)
            #expect(try bits(name, inProcess: true, blocks: blocks, seed: 3) == apart, "\(name), blocks of \(size ?? 0)")
            #expect(apart[0].contains { $0 != 0 })
        }
    }

    @Test(arguments: ["Probe", "Delay"]) func theySoundTheSameInBlocksOfEverySize(name: String) throws {
        var random = SeededRandom(seed: Seed.chosen)
        let reference = try bits(name, inProcess: false, blocks: blocks(4000, using: &random), seed: 5)
        for size in [1, 64, 333, nil] {
            let others = try bits(name, inProcess: true, blocks: blocks(size, using: &random), seed: 5)
            #expect(others == reference, "\(name), blocks of \(size ?? 0)")
        }
    }

    @Test func offlineADeathChangesNoEvent() throws {
        let blocks = [Int](repeating: 128, count: 40)
        let unharmed = try bits("Misbehaver", inProcess: false, [(300, 0.5), (2000, -1), (2050, 2), (4000, 0.25)], blocks)
        #expect(
            try bits("Misbehaver", inProcess: false, [(300, 0.5), (2000, -1), (2050, 2), (4000, 0.25)], blocks, kill: 2000)
                == unharmed)
    }

    /// The bits of half of full scale through gains that are set at frames.
    private func bits(
        _ name: String, inProcess: Bool, _ gains: [(Int, Double)], _ blocks: [Int], kill frame: Int? = nil
    ) throws -> [UInt32] {
        let bench = try BlockBench(name, inProcess: inProcess, inputs: [Self.half])
        try bench.unit.allocateRenderResources()
        var samples: [Float] = []
        for size in blocks {
            if let frame, bench.sampleTime <= frame, frame < bench.sampleTime + size {
                Glibc.kill(try #require(bench.unit.processIdentifier), SIGKILL)
            }
            samples += bench.render(size, gains.map { .parameter(4, to: $0.1, at: $0.0) })[0]
        }
        #expect(bench.statuses.allSatisfy { $0 == .rendered })
        return samples.map(\.bitPattern)
    }
}
