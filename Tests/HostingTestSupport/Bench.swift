// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain between a source in memory and a tape, rendered block by block: the bench on which units are tested. Test thread.

import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import RenderingTestSupport
import TestSupport

/// A chain that is rendered on the calling thread, without a clock.
package struct Bench: ~Copyable {
    /// The chain under test.
    package let chain: UnitChain
    /// The player of the plan that contains the chain.
    package let player = PlanPlayer()
    /// Quarter notes a minute.
    package var tempo = 120.0
    /// Frames that have been rendered.
    package private(set) var sampleTime: Int64 = 0
    private let inputFrameCount: Int
    private let silence: AudioBuffer
    private let output: AudioBuffer

    /// Plays `input`, which has as many channels as the chain, in blocks of up to `maximumFrameCount` frames.
    ///
    /// Further inputs of the first unit hear it too.
    package init(
        _ links: [ChainLink], input: [[Float]], maximumFrameCount: Int = 512, sampleRate: Double = 48_000,
        isLooping: Bool = false, policy: ChainPolicy = ChainPolicy()
    ) throws {
        let format = ChainFormat(
            sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, channelCount: input.count)
        chain = try UnitChain.connecting(links, format: format, policy: policy)
        inputFrameCount = input.first?.count ?? 0
        silence = AudioBuffer(channelCount: 0, frameCapacity: maximumFrameCount)
        output = AudioBuffer(channelCount: input.count, frameCapacity: maximumFrameCount)
        var builder = RenderPlanBuilder(channelCount: input.count, maximumFrameCount: maximumFrameCount)
        let source = builder.add(source: Samples(input).player(isLooping: isLooping))
        let result = builder.add(chain, after: source, sideChannelCounts: links[0].sideInputs)
        player.play(builder.plan(output: result))
    }

    /// Plays `input` through a chain of these units.
    package init(
        _ units: [HostedUnit], input: [[Float]], maximumFrameCount: Int = 512, sampleRate: Double = 48_000,
        isLooping: Bool = false
    ) throws {
        try self.init(
            units.map { ChainLink($0) }, input: input, maximumFrameCount: maximumFrameCount, sampleRate: sampleRate,
            isLooping: isLooping)
    }

    /// Renders one block and returns it, channel by channel.
    package mutating func render(_ frameCount: Int, isOffline: Bool = true) -> [[Float]] {
        let block = output.block(frameCount: frameCount)
        let beats = Double(sampleTime) / chain.format.sampleRate * tempo / 60
        player.render(
            RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: chain.format.sampleRate,
                transport: Transport(tempo: tempo, beatPosition: beats), isOffline: isOffline,
                inputs: silence.block(frameCount: frameCount), outputs: block))
        sampleTime += Int64(frameCount)
        return (0..<block.channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: frameCount)) }
    }

    /// Renders blocks of these sizes, one after the other, and joins them channel by channel.
    package mutating func render(blocks: [Int], isOffline: Bool = true) -> [[Float]] {
        var joined = [[Float]](repeating: [], count: chain.format.channelCount)
        for frameCount in blocks { joined.extend(by: render(frameCount, isOffline: isOffline)) }
        return joined
    }

    /// Renders the rest of the input in blocks of `blockSize` frames, or of the maximum, and joins them channel by channel.
    ///
    /// `beforeBlock` gets the frames of each block.
    package mutating func renderInput(
        blockSize: Int? = nil, isOffline: Bool = true, _ beforeBlock: (Range<Int>) throws -> Void = { _ in }
    ) throws -> [[Float]] {
        var joined = [[Float]](repeating: [], count: chain.format.channelCount)
        while sampleTime < inputFrameCount {
            let start = Int(sampleTime)
            let frames = start..<min(start + (blockSize ?? chain.format.maximumFrameCount), inputFrameCount)
            try beforeBlock(frames)
            joined.extend(by: render(frames.count, isOffline: isOffline))
        }
        return joined
    }

    /// Throws when a unit has died or missed a block.
    package func checkWholeness() throws {
        guard chain.isWhole, chain.missedDeadlineCount == 0 else {
            throw TestFailure("A unit on the bench missed a block or died.")
        }
    }
}

extension [[Float]] {
    /// Appends a block, channel by channel.
    fileprivate mutating func extend(by block: [[Float]]) {
        for (channel, samples) in block.enumerated() { self[channel] += samples }
    }
}
