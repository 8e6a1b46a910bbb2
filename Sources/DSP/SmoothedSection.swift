// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A running second-order filter, whose coefficients glide frame by frame. Render thread.

import Realtime

/// The coefficients of a second-order filter, which glide to a target, for any number of channels.
public struct SmoothedSection {
    private var current = SectionCoefficients()
    private var target = SectionCoefficients()
    private var step = SectionCoefficients()
    /// The number of frames until the target is reached; zero without a glide.
    public private(set) var framesRemaining = 0

    /// Makes a filter that passes its input unchanged.
    @_noLocks public init() {}

    /// `[render]` Glides to `target` in a straight line over `frameCount` frames; zero jumps.
    @_noLocks public mutating func glide(to target: SectionCoefficients, over frameCount: Int) {
        self.target = target
        framesRemaining = max(0, frameCount)
        if framesRemaining == 0 { current = target } else { step = current.step(to: target, over: frameCount) }
    }

    /// `[render]` Ends a glide at the present coefficients.
    @_noLocks public mutating func stop() { glide(to: current, over: 0) }

    /// `[render]` Filters two channels; `output` may be `input`.
    ///
    /// During a glide `frameCount` must not exceed `framesRemaining`.
    @_noLocks public func process(
        _ input: ChannelPair, _ output: ChannelPair, frameCount: Int, state: inout SectionState
    ) {
        var running = current
        var local = state
        if framesRemaining == 0 {
            for frame in 0..<frameCount { Self.tick(input, output, frame, running, &local) }
        } else {
            for frame in 0..<frameCount {
                Self.tick(input, output, frame, running, &local)
                running.add(step, times: 1)
            }
        }
        local.tidy()
        state = local
    }

    /// `[render]` Moves on by `frameCount` frames, once every channel has been processed.
    @_noLocks public mutating func advance(by frameCount: Int) {
        guard framesRemaining > 0 else { return }
        framesRemaining -= min(frameCount, framesRemaining)
        if framesRemaining == 0 { current = target } else { current.add(step, times: Double(frameCount)) }
    }

    @inline(__always) @_noLocks
    private static func tick(
        _ input: ChannelPair, _ output: ChannelPair, _ frame: Int, _ c: SectionCoefficients, _ state: inout SectionState
    ) {
        let sample = SIMD2(Double(input.first[frame]), Double(input.second[frame]))
        let u = c.t0 * sample + c.t1 * state.input1 + c.t2 * state.input2
        let (s1, s2) = (state.s1, state.s2)
        let difference = u - s2
        state.s1 = c.a * s1 + c.b1 * difference
        state.s2 = s2 + c.b1 * s1 + c.b2 * difference
        state.input2 = state.input1
        state.input1 = sample
        let result = c.d * u + c.c1 * s1 + c.c2 * s2
        output.first[frame] = Float(result.x)
        output.second[frame] = Float(result.y)
    }
}
