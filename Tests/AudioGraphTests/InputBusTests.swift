// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input's further buses, such as side chains. Test thread.

import HostingTestSupport
import Rendering
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct InputBusTests {
    private let engine: AudioEngine
    private let buses = [DriverBus(name: "key", channelCount: 1), DriverBus(name: "pad", channelCount: 2)]

    init() throws { engine = try AudioEngine.offline() }

    /// Hands in 0.1 on the first channel, 0.2 on the second, and so on.
    private func handIn(channelCount: Int = 2) {
        engine.inputNode.setManualRenderingInputPCMFormat(Sounds.format(channelCount)) { input in
            for channel in 0..<input.channelCount {
                for frame in 0..<input.frameCount { input[channel][frame] = Float(channel + 1) / 10 }
            }
            return true
        }
    }

    /// What is heard of a bus, once nothing fades any more.
    private func heard(ofBus bus: Int) throws -> [Float] {
        try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: bus, toBus: 0)
        try engine.start()
        return try engine.render(8192).map { $0.last ?? -1 }
    }

    @Test(arguments: [(0, [0.1, 0.2]), (1, [0.3, 0.3]), (2, [0.4, 0.5])] as [(Int, [Float])])
    func eachBusHasItsOwnChannels(bus: Int, levels: [Float]) throws {
        try engine.inputNode.setFurtherBuses(buses)
        handIn()
        #expect(engine.inputNode.numberOfOutputs == 3)
        #expect((0..<4).map { engine.inputNode.outputFormat(forBus: $0)?.channelCount } == [2, 1, 2, nil])
        #expect(try heard(ofBus: bus) == levels)
    }

    @Test func busesThatAreNamedAfterTheBlockCountToo() throws {
        handIn()
        try engine.inputNode.setFurtherBuses(buses)
        #expect(try heard(ofBus: 2) == [0.4, 0.5])
    }

    @Test func aBusThatNothingFeedsIsSilent() throws {
        try engine.inputNode.setFurtherBuses(buses)
        #expect(try heard(ofBus: 1) == [0, 0])
    }

    @Test func otherBusesDisconnectTheFormerOnes() throws {
        try engine.inputNode.setFurtherBuses(buses)
        handIn()
        try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: 2, toBus: 1)
        try engine.inputNode.setFurtherBuses([])
        #expect(engine.inputNode.numberOfOutputs == 1)
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(engine.inputNode), bus: 1, isInput: false, count: 1)) {
            try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: 1, toBus: 0)
        }
        #expect(try heard(ofBus: 0) == [0.1, 0.2])
    }

    @Test func busesStayAsTheyAreWhileTheEngineRuns() throws {
        try engine.inputNode.setFurtherBuses(buses)
        handIn()
        #expect(try heard(ofBus: 1) == [0.3, 0.3])
        #expect(throws: AudioEngineError.wrongState(act: "name the input's buses", state: "running")) {
            try engine.inputNode.setFurtherBuses([])
        }
        #expect(engine.inputNode.furtherBuses == buses)
    }

    @Test func aDriverWithoutFurtherInputsIsRefused() throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 512, sampleRate: 48000))
        try engine.inputNode.setFurtherBuses(buses)
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        #expect("\(try #require(error))".contains("no further inputs"))
    }
}
