// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors of the program's own: what is heard of them, with buses, formats and parameters. Test thread.

import AudioGraph
import HostingTestSupport
import Synchronization
import Testing

@Suite struct ProcessorNodeTests {
    /// A player of a ramp through a processor into the main mixer.
    private func scene(_ node: AudioProcessorNode, channelCount: Int = 2) throws -> (AudioEngine, AudioPlayerNode) {
        let (engine, player) = (try AudioEngine.offline(), AudioPlayerNode())
        engine.attach(player)
        engine.attach(node)
        try engine.connect(player, to: node, format: Sounds.format(channelCount))
        try engine.connect(node, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(20_000, channelCount: channelCount))
        player.play()
        return (engine, player)
    }

    private func ramp(_ frames: Range<Int>, gain: Float = 1) -> [Float] { frames.map { Float($0 + 1) / 65_536 * gain } }

    @Test func aClosureIsHeardInEveryChannel() throws {
        let node = AudioProcessorNode(name: "Halver") { block in
            block.output.copy(from: block.input, gain: 0.5)
        }
        let (engine, _) = try scene(node)
        try engine.start()
        let heard = try engine.render(1000, block: 100)
        #expect(heard[0] == ramp(0..<1000, gain: 0.5))
        #expect(heard[1] == ramp(0..<1000, gain: -0.5))
        #expect(node.name == "Halver" && node.numberOfInputs == 1 && node.numberOfOutputs == 1)
    }

    @Test func aParameterIsSetByKeyPathAndReadInTheNextBlock() throws {
        let node = AudioProcessorNode(Tremolo())
        let (engine, _) = try scene(node)
        try node.setValue(0, of: "depth")
        try engine.start()
        #expect(try engine.render(1000)[0] == ramp(0..<1000))
        try #require(node.parameter("depth")).value = 1
        #expect(node.value(of: "depth") == 1)
        let heard = try engine.render(2000)[0]
        #expect(zip(heard, ramp(1000..<3000, gain: 0.5)).contains { $0 < $1 })
    }

    @Test func whatAParameterDoesNotTakeIsRefused() throws {
        let node = AudioProcessorNode(Tremolo())
        #expect(throws: UnitError.unknownParameter("speed")) { try node.setValue(1, of: "speed") }
        #expect(throws: UnitError.valueOutOfRange(parameter: "depth", value: 2, range: 0...1)) { try node.setValue(2, of: "depth") }
        #expect(throws: UnitError.self) { try node.setValue(.nan, of: "depth") }
        #expect(node.value(of: "depth") == 0.5 && node.value(of: "speed") == nil && node.parameter("speed") == nil)
        let depth = try #require(node.parameter("depth"))
        depth.value = -3
        #expect(depth.value == 0 && node.parameterTree == Tremolo.parameters)
        depth.value = .nan
        #expect(depth.value == 0)
    }

    @Test func aProcessorHasSeveralBusesAndOneMayStayUnconnected() throws {
        let node = AudioProcessorNode(RingModulator(), name: "Ring")
        let (engine, _) = try scene(node)
        try engine.start()
        #expect(try engine.render(500)[0].allSatisfy { $0 == 0 })
        let carrier = AudioSourceNode(format: Sounds.format(1)) { _, _, output in
            for frame in 0..<output.frameCount { output[0][frame] = 0.5 }
        }
        engine.attach(carrier)
        try engine.connect(carrier, to: node, fromBus: 0, toBus: 1)
        _ = try engine.render(4000)
        let heard = try engine.render(500)
        #expect(heard[0] == ramp(4500..<5000, gain: 0.5))
        #expect(throws: AudioEngineError.self) { try engine.connect(carrier, to: node, fromBus: 0, toBus: 2) }
    }

    @Test func aGeneratorHasOutputsOfItsOwnShape() throws {
        let (engine, node) = (try AudioEngine.offline(), AudioProcessorNode(Ramps(), name: "Ramps"))
        engine.attach(node)
        try engine.connect(node, to: engine.mainMixerNode, fromBus: 0, toBus: 0)
        try engine.start()
        #expect(try engine.render(1000)[1] == ramp(0..<1000))
        #expect(node.outputFormat(forBus: 1)?.channelCount == 1)
        try engine.connect(node, to: engine.mainMixerNode, fromBus: 1, toBus: 1)
        _ = try engine.render(2000)
        // They cancel each other.
        #expect(try engine.render(100)[0].allSatisfy { $0 == 0 })
    }

    @Test func aProcessorWithoutOutputsHearsWhatIsConnectedToIt() throws {
        let (engine, notes) = (try AudioEngine.offline(), Notes())
        let (player, meter) = (AudioPlayerNode(), AudioProcessorNode(PeakMeter(notes)))
        engine.attach(player)
        engine.attach(meter)
        try engine.connect(player, to: meter, format: Sounds.format())
        player.scheduleBuffer(try Sounds.ramp(1000))
        player.play()
        try engine.start()
        _ = try engine.render(500)
        #expect(notes.frameCount.load(ordering: .relaxed) == 500)
        #expect(Float(bitPattern: notes.peak.load(ordering: .relaxed)) == ramp(499..<500)[0])
        withExtendedLifetime(notes) { engine.stop() }
    }

    @Test func otherFormatsSetTheProcessorUpAgainWhileItPlays() throws {
        let notes = Notes()
        let node = AudioProcessorNode(Spoiler(notes))
        let (engine, player) = try scene(node)
        try engine.start()
        _ = try engine.render(1000)
        #expect(notes.setUpCount.load(ordering: .relaxed) == 1 && notes.resetCount.load(ordering: .relaxed) == 1)
        try engine.connect(player, to: node, format: Sounds.format(1))
        _ = try engine.render(6000)
        #expect(notes.setUpCount.load(ordering: .relaxed) == 2 && node.outputFormat(forBus: 0)?.channelCount == 1)
        node.reset()
        _ = try engine.render(100)
        #expect(notes.resetCount.load(ordering: .relaxed) == 3)
        engine.stop()
        try engine.start()
        #expect(notes.setUpCount.load(ordering: .relaxed) == 3)
        engine.stop()
    }
}

@Suite struct ProcessorRefusalTests {
    private static func connect(_ node: AudioProcessorNode, _ format: AudioFormat) throws -> AudioEngine {
        let (engine, player) = (try AudioEngine.offline(), AudioPlayerNode())
        engine.attach(player)
        engine.attach(node)
        try engine.connect(node, to: engine.mainMixerNode)
        try engine.connect(player, to: node, format: format)
        return engine
    }

    @Test func aBusSaysWhichChannelsItTakes() throws {
        let ring = AudioProcessorNode(RingModulator(), name: "Ring")
        let error = #expect(throws: AudioEngineError.self) { try Self.connect(ring, Sounds.format(3)) }
        #expect(
            error?.description == "\"Ring\" does not take 3 channels at 48000.0 Hz on bus 0: it takes 1 or 2 channels.", "\(error!)"
        )
    }

    @Test func aSetUpSaysWhatItCannotDo() throws {
        let delay = AudioProcessorNode(HonestDelay(), name: "Delay")
        let engine = try Self.connect(delay, AudioFormat(sampleRate: 4000, channelCount: 2))
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        guard case .formatRefused(_, bus: 0, let format, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(format.sampleRate == 4000 && reason == "it needs a rate of 8 kHz at least")
        #expect(!engine.isRunning)
    }

    @Test func aProcessorThatContradictsItselfIsRefusedByName() throws {
        let twice = ParameterTree(
            Parameter("a", name: "A", address: 1, range: 0...1, default: 0),
            Parameter("b", name: "B", address: 1, range: 0...1, default: 0))
        let odd = Bus("Output", channelCount: 2, supportedChannelCounts: [3])
        for node in [AudioProcessorNode(parameters: twice) { _ in }, AudioProcessorNode(outputs: [odd]) { _ in }] {
            node.name = "Odd"
            let engine = try Self.connect(node, Sounds.format())
            let error = #expect(throws: AudioEngineError.self) { try engine.start() }
            guard case .processor? = error, error?.description.contains("\"Odd\"") == true else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    /// Each fault silences the block, and nothing of it comes later.
    @Test(arguments: [1.0, 2, 3]) func whatIsNoSoundDoesNotSpread(fault: Double) throws {
        let notes = Notes()
        let node = AudioProcessorNode(Spoiler(notes), name: "Spoiler")
        let engine = try Self.connect(node, Sounds.format())
        let source = AudioSourceNode { _, _, output in
            for channel in 0..<output.channelCount { for frame in 0..<output.frameCount { output[channel][frame] = 0.25 } }
        }
        engine.attach(source)
        try engine.connect(source, to: node)
        try engine.start()
        _ = try engine.render(2048, block: 512)
        try node.setValue(fault, of: "fault")
        #expect(try engine.render(1024, block: 512)[0].allSatisfy { $0 == 0 })
        try node.setValue(0, of: "fault")
        #expect(try engine.render(512, block: 512)[0].allSatisfy { $0 == 0.25 })
        #expect(node.invalidBlockCount == 2 && notes.resetCount.load(ordering: .relaxed) == 3)
        withExtendedLifetime(notes) { engine.stop() }
    }
}
