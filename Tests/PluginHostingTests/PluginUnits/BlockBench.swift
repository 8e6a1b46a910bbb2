// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that is rendered block by block with events at frames of the whole sound, for tests of render blocks. Test thread.

import AudioUnits
import Realtime

@testable import PluginHosting

/// One unit with all of its buses, in blocks of the program's own.
final class BlockBench {
    let unit: PluginUnit
    private let inputs: [[[Float]]]
    private let inputMemory: AudioBuffer
    private let outputMemory: AudioBuffer
    private let outputCounts: [Int]
    private(set) var sampleTime = 0
    /// What became of each block.
    private(set) var statuses: [PluginUnit.RenderStatus] = []

    static let longest = 4096

    /// Has the unit hear these sounds, bus by bus and channel by channel.
    init(
        _ name: String, inProcess: Bool = false, inputs: [[[Float]]], sideInputs: [Int] = [], outputs: [Int] = [2],
        channelCount: Int = 2
    ) throws {
        unit = PluginUnit(try Build.unit(name, inProcess: inProcess))
        try unit.setFormat(
            AudioFormat(sampleRate: 48_000, channelCount: channelCount), sideInputs: sideInputs, outputs: outputs)
        unit.isRenderingOffline = true
        self.inputs = inputs
        outputCounts = outputs
        inputMemory = AudioBuffer(channelCount: inputs.reduce(0) { $0 + $1.count }, frameCapacity: Self.longest)
        outputMemory = AudioBuffer(channelCount: outputs.reduce(0, +), frameCapacity: Self.longest)
    }

    /// Renders a block with those of `events` that lie in it, and returns all output channels.
    func render(_ frameCount: Int, _ events: [BlockEvent]) -> [[Float]] {
        let start = sampleTime
        let own = events.filter { $0.frameOffset >= start && $0.frameOffset < start + frameCount }
            .map { BlockEvent($0.event, at: $0.frameOffset - start) }
        fill(frameCount)
        let inputBlocks = Self.buses(inputMemory.block(frameCount: frameCount), inputs.map(\.count))
        let outputBlocks = Self.buses(outputMemory.block(frameCount: frameCount), outputCounts)
        statuses.append(
            unit.renderBlock(
                inputBlocks, into: outputBlocks, frameCount: frameCount, events: own, at: Int64(start)))
        sampleTime += frameCount
        let all = outputMemory.block(frameCount: frameCount)
        return (0..<all.channelCount).map { Array(UnsafeBufferPointer(start: all[$0], count: frameCount)) }
    }

    /// Renders blocks of these sizes, and joins them channel by channel.
    func render(blocks: [Int], _ events: [BlockEvent]) -> [[Float]] {
        var joined = [[Float]](repeating: [], count: outputMemory.channelCount)
        for frameCount in blocks {
            for (channel, samples) in render(frameCount, events).enumerated() { joined[channel] += samples }
        }
        return joined
    }

    private func fill(_ frameCount: Int) {
        let block = inputMemory.block(frameCount: frameCount)
        for (channel, samples) in inputs.flatMap(\.self).enumerated() {
            for frame in 0..<frameCount { block[channel][frame] = samples[(sampleTime + frame) % samples.count] }
        }
    }

    private static func buses(_ block: AudioBlock, _ counts: [Int]) -> [AudioBlock] {
        var first = 0
        return counts.map { count in
            defer { first += count }
            return AudioBlock(channels: block.channels + first, channelCount: count, frameCount: block.frameCount)
        }
    }
}
