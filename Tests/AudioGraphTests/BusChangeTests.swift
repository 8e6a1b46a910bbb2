// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buses of the input and the output that come and go while the engine plays. Test thread.

import HostingTestSupport
import Rendering
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(15))) struct BusChangeTests {
    private let driver = BusDriver()
    private let engine: AudioEngine

    init() throws {
        engine = AudioEngine(driver: driver)
        try engine.connect(engine.inputNode, to: engine.mainMixerNode)
        try engine.start()
    }

    @Test func aBusThatComesIsHeardOnceItIsConnected() throws {
        #expect(driver.render() == [0.1, 0.2, 0, 0, 0, 0, 0, 0])
        let key = try engine.addFurtherBus(DriverBus(name: "key", channelCount: 1), isInput: true)
        let pad = try engine.addFurtherBus(DriverBus(name: "pad"), isInput: true)
        #expect([key, pad] == [1, 2])
        #expect(driver.render() == [0.1, 0.2, 0, 0, 0, 0, 0, 0])
        try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: pad, toBus: 1)
        #expect(driver.render() == [0.5, 0.7, 0, 0, 0, 0, 0, 0])
        try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: key, toBus: 2)
        #expect(driver.render() == [0.8, 1, 0, 0, 0, 0, 0, 0])
        engine.removeFurtherBus(pad, named: "pad", isInput: true)
        #expect(driver.render() == [0.4, 0.5, 0, 0, 0, 0, 0, 0])
        #expect(driver.busNames == ["key"])
    }

    @Test func aNumberThatIsFreeIsGivenAgainAndTheOthersStay() throws {
        let names = ["a", "b", "c"]
        let numbers = try names.map { try engine.addFurtherBus(DriverBus(name: $0, channelCount: 1), isInput: true) }
        try engine.connect(engine.inputNode, to: engine.mainMixerNode, fromBus: numbers[2], toBus: 1)
        engine.removeFurtherBus(numbers[0], named: "a", isInput: true)
        #expect(try engine.addFurtherBus(DriverBus(name: "d", channelCount: 1), isInput: true) == numbers[0])
        #expect(try engine.addFurtherBus(DriverBus(name: "wide", channelCount: 3), isInput: true) == 4)
        #expect(driver.render() == [0.6, 0.7, 0, 0, 0, 0, 0, 0])
    }

    @Test func aFurtherOutputPlaysWhatIsConnectedToItAndTheMainOneWhatItDid() throws {
        let wet = try engine.addFurtherBus(DriverBus(name: "wet"), isInput: false)
        let mono = try engine.addFurtherBus(DriverBus(name: "mono", channelCount: 1), isInput: false)
        let key = try engine.addFurtherBus(DriverBus(name: "key", channelCount: 1), isInput: true)
        #expect(engine.outputNode.numberOfInputs == 3)
        try engine.connect(
            engine.inputNode,
            to: [.init(node: engine.outputNode, bus: wet), .init(node: engine.outputNode, bus: mono)], fromBus: key)
        // One channel goes to both.
        #expect(driver.render() == [0.1, 0.2, 0.3, 0.3, 0.3, 0, 0, 0])
        engine.removeFurtherBus(wet, named: "wet", isInput: false)
        #expect(driver.render() == [0.1, 0.2, 0, 0, 0.3, 0, 0, 0])
    }

    @Test func aBusForWhichThereIsNoRoomIsRefused() throws {
        #expect(throws: DriverBusError.noRoom) {
            try engine.addFurtherBus(DriverBus(name: "wide", channelCount: 7), isInput: true)
        }
        #expect(engine.inputNode.numberOfOutputs == 1)
        let timer = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 512, sampleRate: 48000))
        #expect(!timer.changesBuses && engine.changesBuses)
    }

    @Test func outputBusesThatAreNamedBeforeTheStartAreThereAtTheStart() throws {
        let engine = AudioEngine(driver: driver)
        self.engine.stop()
        try engine.outputNode.setFurtherBuses([DriverBus(name: "wet"), DriverBus(name: "mono", channelCount: 1)])
        try engine.connect(
            engine.inputNode, to: [.init(node: engine.outputNode, bus: 0), .init(node: engine.outputNode, bus: 1)], fromBus: 0)
        try engine.start()
        #expect(driver.busNames == ["wet", "mono"])
        #expect(driver.render() == [0.1, 0.2, 0.1, 0.2, 0, 0, 0, 0])
        #expect(throws: AudioEngineError.wrongState(act: "name the output's buses", state: "running")) {
            try engine.outputNode.setFurtherBuses([])
        }
        engine.stop()
        try engine.start()
        #expect(driver.busNames == ["wet", "mono"])
        engine.stop()
        try engine.outputNode.setFurtherBuses([])
        #expect(driver.busNames.isEmpty && engine.outputNode.numberOfInputs == 1)
    }

    @Test func aDriverWithoutFurtherOutputsIsRefused() throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 512, sampleRate: 48000))
        try engine.outputNode.setFurtherBuses([DriverBus(name: "wet")])
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        #expect("\(try #require(error))".contains("no further outputs"))
    }
}
