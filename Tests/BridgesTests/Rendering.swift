// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a chain of one unit offline, as many frames as there is input.

import AudioUnits
import PluginHosting
import Realtime
import Rendering

extension ChainPolicy {
    /// Another host mends nothing: two plug-ins of swh run away to 1e28 with their defaults, and are to be compared there.
    static let passingEverything = {
        var policy = ChainPolicy()
        policy.ceiling = nil
        return policy
    }()
}

/// A unit in a chain, and the signal that goes through it.
struct Rendering {
    var sampleRate = 48_000.0
    var blockSize = 256
    /// The unit's second input hears what goes into the chain.
    var hasSideChain = false
    var isOffline = true
    /// Called before each block with its first frame.
    var beforeBlock: (Int, HostedUnit) throws -> Void = { _, _ in }
    /// What the chain does about a plug-in that puts out nonsense.
    var policy = ChainPolicy()
    /// Gets the chain before it is rendered.
    var withChain: (UnitChain) -> Void = { _ in }

    func render(_ unit: HostedUnit, _ input: [[Float]]) throws -> [[Float]] {
        let format = ChainFormat(sampleRate: sampleRate, maximumFrameCount: blockSize, channelCount: input.count)
        let chain = try UnitChain([ChainLink(unit, hasSideChain: hasSideChain)], format: format, policy: policy)
        withChain(chain)
        let samples = Samples(input)
        var builder = RenderPlanBuilder(channelCount: input.count, maximumFrameCount: blockSize)
        let source = SamplePlayer(
            channels: samples.channels, frameCount: input[0].count, isLooping: false, owner: samples)
        let wet = builder.add(chain, after: builder.add(source: source))
        let player = PlanPlayer()
        player.play(builder.plan(output: wet))
        let output = try play(player, unit, frameCount: input[0].count, channelCount: input.count)
        guard chain.isWhole, chain.missedDeadlineCount == 0 else {
            throw HostingError.system("\(unit.name) missed a block or died.")
        }
        return output
    }

    private func play(
        _ player: PlanPlayer, _ unit: HostedUnit, frameCount: Int, channelCount: Int
    ) throws -> [[Float]] {
        var output = [[Float]](repeating: [], count: channelCount)
        let silence = AudioBuffer(channelCount: 0, frameCapacity: blockSize)
        let buffer = AudioBuffer(channelCount: channelCount, frameCapacity: blockSize)
        var start = 0
        while start < frameCount {
            let count = min(blockSize, frameCount - start)
            try beforeBlock(start, unit)
            let block = buffer.block(frameCount: count)
            player.render(
                RenderCycle(
                    sampleTime: Int64(start), hostTime: 0, sampleRate: sampleRate,
                    transport: Transport(tempo: 120, beatPosition: Double(start) / sampleRate * 2), isOffline: isOffline,
                    inputs: silence.block(frameCount: count), outputs: block))
            for channel in output.indices { output[channel] += UnsafeBufferPointer(start: block[channel], count: count) }
            start += count
        }
        return output
    }
}

/// Samples at fixed addresses.
private final class Samples: @unchecked Sendable {
    // SAFETY: written in the initializer only.
    let channels: [UnsafePointer<Float>]

    init(_ input: [[Float]]) {
        channels = input.map { samples in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, samples.count))
            memory.initialize(from: samples, count: samples.count)
            return UnsafePointer(memory)
        }
    }

    deinit { for channel in channels { channel.deallocate() } }
}
