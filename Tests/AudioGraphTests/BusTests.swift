// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units with several buses and of different numbers of channels in and out, in a graph. Test thread.

import HostingTestSupport
import LinuxSystem
import PluginHosting
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct BusTests {
    private let engine: AudioEngine
    private let player = AudioPlayerNode()
    private let splitter: AudioUnitEffect
    private static let length = 1111

    init() async throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
        splitter = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Splitter")))
        engine.attach(splitter)
        player.scheduleBuffer(try Sounds.ramp(Self.length, channelCount: 1), options: .loops)
        player.play()
    }

    private func effect(_ name: String) async throws -> AudioUnitEffect {
        let effect = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component(name)))
        engine.attach(effect)
        return effect
    }

    /// The ramp times a factor, from a frame on.
    private func ramp(_ factor: Float, from start: Int = 0, _ count: Int) -> [Float] {
        (start..<start + count).map { Float($0 % Self.length + 1) / 65_536 * factor }
    }

    @Test func everyOutputHasItsOwnChannels() throws {
        #expect((0..<3).map { splitter.outputFormat(forBus: $0)?.channelCount } == [2, 1, 4])
        #expect(splitter.outputFormat(forBus: 3) == nil && splitter.inputFormat(forBus: 0)?.channelCount == 1)
        let error = #expect(throws: AudioEngineError.self) {
            try engine.connect(player, to: splitter, format: Sounds.format(2))
        }
        #expect("\(try #require(error))".contains("it takes 1"))
    }

    @Test(arguments: [(0, [1, 1]), (1, [-1, -1]), (2, [0.5, 0.5])] as [(Int, [Float])])
    func oneOutputIsHeardAlone(bus: Int, factors: [Float]) throws {
        try engine.connect(player, to: splitter, format: Sounds.format(1))
        try engine.connect(splitter, to: engine.mainMixerNode, fromBus: bus, toBus: 0)
        try engine.start()
        let heard = try engine.render(4000)
        for channel in 0..<2 { #expect(heard[channel] == ramp(factors[channel], 4000)) }
    }

    /// A destination may be given other channels than the unit has, and keeps them when what comes before the unit changes.
    @Test func whatADestinationWasGivenStays() async throws {
        let reverb = try await effect("Reverb")
        try engine.connect(player, to: splitter, format: Sounds.format(1))
        try engine.connect(splitter, to: reverb, fromBus: 2, toBus: 0, format: Sounds.format(2))
        try engine.connect(reverb, to: engine.mainMixerNode)
        #expect(splitter.outputFormat(forBus: 2)?.channelCount == 4 && reverb.inputFormat(forBus: 0)?.channelCount == 2)
        try engine.start()
        _ = try engine.render(1000)
        let row = try #require(reverb.body.row)
        let other = AudioPlayerNode()
        engine.attach(other)
        try engine.connect(other, to: splitter, format: Sounds.format(1))
        _ = try engine.render(4000)
        #expect(reverb.inputFormat(forBus: 0)?.channelCount == 2 && reverb.body.row === row)
    }

    /// The unit renders all its outputs all the time, so that it need not take its resources anew.
    @Test func anOutputIsConnectedWhileItPlays() throws {
        try engine.connect(player, to: splitter, format: Sounds.format(1))
        try engine.connect(splitter, to: engine.mainMixerNode)
        try engine.start()
        #expect(try engine.render(2000)[0] == ramp(1, 2000))
        let row = try #require(splitter.body.row)
        try engine.connect(splitter, to: engine.mainMixerNode, fromBus: 1, toBus: 1)
        _ = try engine.render(4000)
        // The ramp and its negative.
        let mixed = try engine.render(2000)[0]
        #expect(mixed.allSatisfy { $0 == 0 })
        #expect(splitter.body.row === row && splitter.unit.restartCount == 0)
        engine.disconnectNodeOutput(splitter, bus: 0)
        _ = try engine.render(4000)
        #expect(try engine.render(2000)[1] == ramp(-1, from: 12_000, 2000))
    }

    /// Unfit audio on one output silences all of them, and the first one plays the input instead.
    @Test(arguments: [0, 1]) func aBypassedOrFaultyUnitPlaysItsInputOnItsFirstOutputAlone(bus: Int) throws {
        try engine.connect(player, to: splitter, format: Sounds.format(1))
        try engine.connect(splitter, to: engine.mainMixerNode, fromBus: bus, toBus: 0)
        try engine.start()
        _ = try engine.render(2000)
        splitter.bypass = true
        _ = try engine.render(4000)
        let bypassed = try engine.render(2000)
        #expect(
            bypassed == [[Float]](repeating: ramp(bus == 0 ? 1 : 0, from: 6000, 2000), count: 2),
            "\(bypassed.map { $0.prefix(3) }) \(ramp(1, from: 6000, 3))")
        splitter.bypass = false
        _ = try engine.render(4000)
        try splitter.unit.setValue(1e9, of: "gain")
        let faulty = try engine.render(4000)
        #expect(faulty.allSatisfy { $0.allSatisfy { abs($0) < 0.02 } })
        #expect(faulty[0].suffix(1000) == ramp(bus == 0 ? 1 : 0, from: 12_000 + 3000, 1000)[...])
        try splitter.unit.setValue(1, of: "gain")
        _ = try engine.render(8000)
        #expect(try engine.render(2000)[0] == ramp(bus == 0 ? 1 : -1, from: 24_000, 2000))
    }

    @Test(arguments: [false, true]) func aRowGoesThroughAChangeOfChannels(isPipelined: Bool) async throws {
        let (before, after) = (try await effect("Gain"), try await effect("Gain"))
        if isPipelined { engine.setPolicy(UnitPolicy(), isPipelined: true) }
        try engine.connect(player, to: before, format: Sounds.format(1))
        try engine.connect(before, to: splitter)
        try engine.connect(splitter, to: after)
        try engine.connect(after, to: engine.mainMixerNode)
        try engine.start()
        let row = try #require(engine.state.withLock { $0.playing?.rows.first })
        #expect(row.units.count == 3)
        let latency = engine.latencyFrameCount
        #expect(latency == (isPipelined ? 2 * 4096 : 0))
        let heard = try engine.render(12_288, block: 4096)
        for channel in 0..<2 { #expect(Array(heard[channel].dropFirst(latency)) == ramp(1, 12_288 - latency)) }
        let handsOver = row.rendered.members.map(\.handsOver)
        #expect(handsOver == [true, true, true])
        splitter.bypass = true
        _ = try engine.render(8192 + latency, block: 4096)
        let bypassed = try engine.render(4096, block: 4096)
        #expect(bypassed[0] == ramp(1, from: 20_480, 4096) && bypassed[1] == bypassed[0])
    }
}
