// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The low-pass in the feedback path, which reduces the treble of each repeat. Render thread.

import PluginSDK

/// A first-order low-pass that never amplifies, so that the loop stays stable.
///
/// The pole is matched. The level at a quarter of the sample rate is that of the analogue 1/(1 + s/ω). Source: M. Vicanek,
/// "Matched One-Pole Digital Shelving Filters" (2019).
struct FeedbackLowPass {
    private var now = SmoothedValue(1)
    private var before = SmoothedValue(0)
    private var pole = SmoothedValue(0)

    /// The filter's state for one channel.
    struct State {
        var input: Float = 0
        var output: Float = 0

        @_noLocks init() {}
    }

    /// Glides to a cutoff in radians a frame, over `frameCount` frames.
    @_noLocks mutating func glide(toFrequency frequency: Double, over frameCount: Int) {
        let gain = Maths.tanh(frequency / 2)
        let quarter = Double.pi / 2 / frequency
        let zero = Maths.sqrt(max(0, (1 + 1 / (gain * gain)) / (1 + quarter * quarter) - 1))
        let scale = gain / (1 + gain)
        now.ramp(to: Float(scale * (1 + zero)), over: frameCount)
        before.ramp(to: Float(scale * (1 - zero)), over: frameCount)
        pole.ramp(to: Float((1 - gain) / (1 + gain)), over: frameCount)
    }

    /// Jumps to the target.
    @_noLocks mutating func jump() {
        now.jump(to: now.target)
        before.jump(to: before.target)
        pole.jump(to: pole.target)
    }

    /// Advances by one frame, after all its channels.
    @_noLocks mutating func advance() {
        _ = now.next()
        _ = before.next()
        _ = pole.next()
    }

    @_noLocks func process(_ input: Float, _ state: inout State) -> Float {
        let output = now.current * input + before.current * state.input + pole.current * state.output
        state.input = input
        state.output = abs(output) > 1e-25 ? output : 0
        return state.output
    }
}
