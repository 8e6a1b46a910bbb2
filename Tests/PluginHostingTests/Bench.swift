// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain between a source in memory and a tape, rendered block by block: the bench on which units are tested.

import AudioUnits
import LinuxSystem
import Realtime
import Rendering
import Synchronization

@testable import PluginHosting

/// Planar samples that a player can play.
final class Samples: Sendable {
    // SAFETY: written in init, read after it.
    nonisolated(unsafe) private let memory: [UnsafeMutablePointer<Float>]
    let frameCount: Int

    init(_ channels: [[Float]]) {
        frameCount = channels.first?.count ?? 0
        memory = channels.map { channel in
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(1, channel.count))
            samples.initialize(from: channel, count: channel.count)
            return samples
        }
    }

    deinit { memory.forEach { $0.deallocate() } }

    var channels: [UnsafePointer<Float>] { memory.map { UnsafePointer($0) } }

    func player(isLooping: Bool = false) -> SamplePlayer {
        SamplePlayer(channels: channels, frameCount: frameCount, isLooping: isLooping, owner: self)
    }
}

/// Signals to feed.
enum TestSignal {
    static func sine(frames: Int, frequency: Double = 220, amplitude: Double = 0.5, sampleRate: Double = 48_000) -> [Float] {
        (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
    }

    static func noise(frames: Int, using random: inout SeededRandom) -> [Float] {
        (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
    }

    private static func sin(_ x: Double) -> Double { Maths.sin(x) }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A chain that is rendered offline, on the calling thread.
struct Bench: ~Copyable {
    let chain: UnitChain
    let player = PlanPlayer()
    private let channelCount: Int
    private let maximumFrameCount: Int
    private let sampleRate: Double
    private let silence: AudioBuffer
    private let output: AudioBuffer
    private(set) var sampleTime: Int64 = 0

    init(
        _ links: [ChainLink], input: [[Float]], maximumFrameCount: Int = 512, sampleRate: Double = 48_000,
        isLooping: Bool = false, policy: ChainPolicy = ChainPolicy()
    ) throws {
        let format = ChainFormat(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, channelCount: input.count)
        chain = try UnitChain(links, format: format, policy: policy)
        channelCount = input.count
        self.maximumFrameCount = maximumFrameCount
        self.sampleRate = sampleRate
        silence = AudioBuffer(channelCount: 0, frameCapacity: maximumFrameCount)
        output = AudioBuffer(channelCount: channelCount, frameCapacity: maximumFrameCount)
        var builder = RenderPlanBuilder(channelCount: channelCount, maximumFrameCount: maximumFrameCount)
        let source = builder.add(source: Samples(input).player(isLooping: isLooping))
        let result = builder.add(chain, after: source)
        player.play(builder.plan(output: result))
    }

    init(_ units: [HostedUnit], input: [[Float]], maximumFrameCount: Int = 512, isLooping: Bool = false) throws {
        try self.init(units.map { ChainLink($0) }, input: input, maximumFrameCount: maximumFrameCount, isLooping: isLooping)
    }

    /// Renders one block and returns it, channel by channel.
    mutating func render(_ frameCount: Int, isOffline: Bool = true) -> [[Float]] {
        let block = output.block(frameCount: frameCount)
        player.render(
            RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: sampleRate,
                transport: Transport(), isOffline: isOffline, inputs: silence.block(frameCount: frameCount), outputs: block))
        sampleTime += Int64(frameCount)
        return (0..<channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: frameCount)) }
    }

    /// Renders blocks of these sizes, one after the other; the channels are joined.
    mutating func render(blocks: [Int], isOffline: Bool = true) -> [[Float]] {
        var joined = [[Float]](repeating: [], count: channelCount)
        for frameCount in blocks {
            for (channel, samples) in render(frameCount, isOffline: isOffline).enumerated() { joined[channel] += samples }
        }
        return joined
    }
}
