// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The filters before the curve and at the end, for two channels. Render thread.

import DSP
import PluginSDK

/// A low cut and a high cut for the input band, and two more for the tone.
struct BandLimits {
    private var inputLowCut = CutFilter(.low)
    private var inputHighCut = CutFilter(.high)
    private var toneLowCut = CutFilter(.low)
    private var toneHighCut = CutFilter(.high)

    init() {}

    @_noLocks mutating func limitInput(_ samples: ChannelPair, frameCount: Int) {
        inputLowCut.process(samples, frameCount: frameCount)
        inputHighCut.process(samples, frameCount: frameCount)
    }

    @_noLocks mutating func limitTone(_ samples: ChannelPair, frameCount: Int) {
        toneLowCut.process(samples, frameCount: frameCount)
        toneHighCut.process(samples, frameCount: frameCount)
    }

    /// Sets the frequencies, in octaves above 1 Hz: input low cut and high cut, tone low cut and high cut.
    @_noLocks mutating func tune(_ octaves: SIMD4<Float>, sampleRate: Float) {
        inputLowCut.tune(to: Maths.exp2(octaves.x), sampleRate: sampleRate)
        inputHighCut.tune(to: Maths.exp2(octaves.y), sampleRate: sampleRate)
        toneLowCut.tune(to: Maths.exp2(octaves.z), sampleRate: sampleRate)
        toneHighCut.tune(to: Maths.exp2(octaves.w), sampleRate: sampleRate)
    }

    @_noLocks mutating func tidy() {
        inputLowCut.tidy()
        inputHighCut.tidy()
        toneLowCut.tidy()
        toneHighCut.tidy()
    }

    @_noLocks mutating func reset() {
        inputLowCut.reset()
        inputHighCut.reset()
        toneLowCut.reset()
        toneHighCut.reset()
    }
}
