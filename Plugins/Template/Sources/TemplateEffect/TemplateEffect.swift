// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kernel, which renders the effect. A tremolo, until you write something else.

import PluginSDK

/// A tremolo: a wave turns the volume down and up again.
///
/// `init` allocates, on the control thread. Everything else runs on the render thread, and `@_noLocks` makes the compiler check
/// that nothing there allocates or waits.
public struct TemplateEffect: Kernel, ~Copyable {
    /// The parameters' addresses in changes.
    enum Address: UInt64 {
        case rate, depth, level
    }

    // Each value glides to its target, so that a change does not click.
    private var rate = SmoothedValue(0)
    private var depth = SmoothedValue(0)
    private var level = SmoothedValue(1)
    /// The position in the wave, from 0 to 1.
    private var phase = 0.0
    private let secondsPerFrame: Double
    /// The frames of a glide, if the host requests no ramp of its own.
    private let glideFrameCount: Int

    /// `[control]` Prepares for a sample rate and a number of channels.
    ///
    /// The present values of the parameters follow.
    public init(_ setup: RenderSetup) {
        secondsPerFrame = 1 / setup.sampleRate
        glideFrameCount = setup.frameCount(seconds: 0.02)
    }

    /// `[render]` Takes a new value of a parameter, before the frame at which it takes effect.
    @_noLocks public mutating func apply(_ change: ParameterChange) {
        let frameCount = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glideFrameCount
        let value = Float(change.value)
        switch Address(rawValue: change.address) {
        case .rate: rate.ramp(to: value, over: frameCount)
        case .depth: depth.ramp(to: value / 100, over: frameCount)
        case .level: level.ramp(to: Maths.gain(fromDecibels: value), over: frameCount)
        case nil: break
        }
    }

    /// `[render]` Renders one block.
    ///
    /// Input and output may be the same memory.
    @_noLocks public mutating func render(_ block: RenderBlock) {
        let (input, output) = (block.input, block.output)
        for frame in 0..<block.frameCount {
            let factor = nextFactor()
            for channel in 0..<output.channelCount { output[channel][frame] = input[channel][frame] * factor }
        }
    }

    /// `[render]` Forgets all sound, and jumps to the targets of the parameters.
    @_noLocks public mutating func reset() {
        phase = 0
        rate.jump(to: rate.target)
        depth.jump(to: depth.target)
        level.jump(to: level.target)
    }

    /// The factor for the next frame: the level at the top of the wave, and less below.
    @_noLocks private mutating func nextFactor() -> Float {
        let fall = Float(0.5 - 0.5 * Maths.cos(2 * Double.pi * phase))
        phase += Double(rate.next()) * secondsPerFrame
        if phase >= 1 { phase -= 1 }
        return level.next() * (1 - depth.next() * fall)
    }
}
