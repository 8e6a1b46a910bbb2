// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in with more outputs than inputs: for tests of buses and layouts. Render thread.

import PluginSDK

/// Takes one channel, and puts it out on two channels, its negative on the second output, and its half on four channels of the third.
struct Splitter: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "splt", "test"), name: "Splitter", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), tags: ["Test"], flags: .consentsToInProcess,
        inputs: [Bus("Input", channelCount: 1, supportedChannelCounts: [1])],
        outputs: [
            Bus("Output", supportedChannelCounts: [2]), Bus("Negative", channelCount: 1, supportedChannelCounts: [1]),
            Bus("Half", channelCount: 4, supportedChannelCounts: [4], isOptional: true),
        ], channelCountsMatch: false)

    static let parameters = ParameterTree([
        .parameter(Parameter("gain", name: "Gain", address: 1, range: -1e9...1e9, default: 1))
    ])

    private var gain: Float = 1

    init(_ setup: RenderSetup) throws(UnitError) {}

    @_noLocks mutating func apply(_ change: ParameterChange) { gain = Float(change.value) }

    @_noLocks mutating func render(_ block: RenderBlock) {
        for frame in 0..<block.frameCount {
            let sample = block.input[0][frame]
            for channel in 0..<block.output.channelCount { block.output[channel][frame] = sample * gain }
            block.output(1)[0][frame] = -sample * gain
            for channel in 0..<block.output(2).channelCount { block.output(2)[channel][frame] = sample * gain / 2 }
        }
    }

    @_noLocks mutating func reset() {}
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Splitter.exported }
