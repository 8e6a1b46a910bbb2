// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gain, the sample plug-in: a volume control. Start here when you write your own. Render thread.

import PluginSDK

struct Gain: Kernel, ~Copyable {
    static let description = UnitDescription(
        ComponentDescription(.effect, "gain", "blkh"), name: "Gain", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Utility"], flags: .consentsToInProcess)

    static let parameters = ParameterTree(
        Parameter("gain", name: "Gain", address: 0, range: -96...24, default: 0, unit: .decibels))

    private var gain = SmoothedValue(1)
    private let glide: Int

    init(_ setup: RenderSetup) { glide = setup.frameCount(seconds: 0.02) }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        gain.ramp(to: Maths.gain(fromDecibels: Float(change.value)), over: frames)
    }

    @_noLocks mutating func render(_ block: RenderBlock) {
        let (input, output) = (block.input, block.output)
        guard gain.isMoving else { return output.copy(from: input, gain: gain.current) }
        for frame in 0..<block.frameCount {
            let factor = gain.next()
            for channel in 0..<output.channelCount { output[channel][frame] = input[channel][frame] * factor }
        }
    }

    @_noLocks mutating func reset() { gain.jump(to: gain.target) }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Gain.exported }
