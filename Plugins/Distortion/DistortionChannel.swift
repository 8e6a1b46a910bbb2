// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of one channel of the distortion, and its way through the stages. Render thread.

import DSP
import PluginSDK

/// Band limits, oversampled shaper, crusher, tone, and the dry signal delayed to match.
struct DistortionChannel: ~Copyable {
    let oversampler: Oversampler
    private let dry: PolyphaseBuffer
    var inputLowCut = CutFilter(.low)
    var inputHighCut = CutFilter(.high)
    var toneLowCut = CutFilter(.low)
    var toneHighCut = CutFilter(.high)
    private var crusher = Crusher()

    /// `[control]` Allocates the buffers and designs the filters.
    init(sampleRate: Double) {
        oversampler = Oversampler(sampleRate: sampleRate)
        dry = PolyphaseBuffer(phaseCount: 1, historyCount: oversampler.latencyFrameCount)
    }

    /// Renders at most `PolyphaseBuffer.frameCapacity` frames; the two areas may be the same.
    @_noLocks mutating func render(
        _ input: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ shaper: borrowing Shaper,
        _ frameCount: Int
    ) {
        take(input, frameCount)
        oversampler.run(shaper, frameCount: frameCount)
        if shaper.controls.isOn(.crushMix, frameCount: frameCount) {
            crusher.run(oversampler.output, shaper.controls, frameCount)
        }
        give(output, shaper.controls, frameCount)
        oversampler.advance(by: frameCount)
        dry.advance(by: frameCount)
    }

    /// Takes the input in; NaN, infinity and anything from 1e4 up reach the shaper as silence.
    ///
    /// Otherwise they would stay in the filters.
    @_noLocks private mutating func take(_ input: UnsafePointer<Float>, _ frameCount: Int) {
        let kept = dry[0]
        let limited = oversampler.input
        for frame in 0..<frameCount {
            kept[frame] = input[frame]
            let sound = abs(input[frame]) < 1e4 ? input[frame] : 0
            limited[frame] = inputHighCut.next(inputLowCut.next(sound))
        }
    }

    @_noLocks private mutating func give(
        _ output: UnsafeMutablePointer<Float>, _ controls: borrowing ControlRows, _ frameCount: Int
    ) {
        let original = dry[0] - oversampler.latencyFrameCount
        let shaped = oversampler.output
        let mix = controls[.mix]
        let gain = controls[.outputGain]
        for frame in 0..<frameCount {
            let wet = toneHighCut.next(toneLowCut.next(shaped[frame]))
            output[frame] = (original[frame] + (wet - original[frame]) * mix[frame]) * gain[frame]
        }
    }

    @_noLocks mutating func tidy() {
        inputLowCut.tidy()
        inputHighCut.tidy()
        toneLowCut.tidy()
        toneHighCut.tidy()
    }

    @_noLocks mutating func reset() {
        oversampler.clear()
        dry.clear()
        inputLowCut.reset()
        inputHighCut.reset()
        toneLowCut.reset()
        toneHighCut.reset()
        crusher.reset()
    }
}
