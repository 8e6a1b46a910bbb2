// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of one channel of the distortion, and its stages. Render thread.

import DSP
import PluginSDK

/// Echo, oversampled shaper, crusher, and the dry signal delayed to match; the band limits lie between.
struct DistortionChannel: ~Copyable {
    let oversampler: Oversampler
    private let dry: PolyphaseBuffer
    private var echo: Echo
    private var crusher = Crusher()

    /// `[control]` Allocates the buffers and designs the filters.
    init(sampleRate: Double) {
        oversampler = Oversampler(sampleRate: sampleRate)
        dry = PolyphaseBuffer(phaseCount: 1, historyCount: oversampler.latencyFrameCount)
        echo = Echo(sampleRate: sampleRate)
    }

    /// Takes at most `PolyphaseBuffer.frameCapacity` frames of input, and adds the echo.
    ///
    /// NaN, infinity and magnitudes from 1e4 up become silence for the echo and the shaper. Otherwise they would stay in the
    /// filters.
    @_noLocks mutating func take(
        _ input: UnsafePointer<Float>, _ controls: borrowing ControlRows, _ frameCount: Int
    ) {
        let limited = oversampler.input
        for frame in stride(from: 0, to: frameCount, by: 16) {
            let samples = Vector.load(input + frame, count: frameCount - frame)
            dry.store(samples, phase: 0, frame: frame)
            let sound = samples.withoutWildFrames() * controls.load(.preGain, frame)
            sound.store(to: limited + frame, count: 16)
        }
        if controls.isOn(.echoMix, frameCount: frameCount) {
            echo.run(limited, controls, frameCount)
        } else {
            echo.forget()
        }
    }

    /// Upsamples the band-limited signal, shapes it, downsamples it, and crushes it.
    @_noLocks mutating func distort(_ shaper: borrowing Shaper, _ frameCount: Int) {
        oversampler.run(shaper, frameCount: frameCount)
        if shaper.controls.isOn(.crushMix, frameCount: frameCount) {
            crusher.run(oversampler.output, shaper.controls, frameCount)
        }
    }

    /// Mixes with the dry sound, and advances past these frames; `output` may be the input.
    @_noLocks func give(
        _ output: UnsafeMutablePointer<Float>, _ controls: borrowing ControlRows, _ frameCount: Int
    ) {
        for frame in stride(from: 0, to: frameCount, by: 16) {
            let original = dry.load(phase: 0, frame: frame - oversampler.latencyFrameCount)
            let wet = Vector.load(oversampler.output + frame, count: 16)
            let mixed = original + (wet - original) * controls.load(.mix, frame)
            (mixed * controls.load(.outputGain, frame)).store(to: output + frame, count: frameCount - frame)
        }
        oversampler.advance(by: frameCount)
        dry.advance(by: frameCount)
    }

    @_noLocks mutating func reset() {
        oversampler.clear()
        dry.clear()
        echo.forget()
        crusher.reset()
    }
}
