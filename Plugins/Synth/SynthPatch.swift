// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The values of all parameters in the form for voices. Render thread.

import DSP
import PluginSDK

/// The settings that all voices share.
struct SynthPatch: BitwiseCopyable {
    var (wave, wave2) = (BandLimitedOscillator.Wave.saw, BandLimitedOscillator.Wave.saw)
    var filterType = VoiceFilter.Kind.lowPass
    var width = SmoothedValue(0.5)
    /// The offset of the second oscillator in semitones, and the detuning of both in cents.
    var (pitch2, detune) = (SmoothedValue(0), SmoothedValue(0))
    var (mix, sub, noise, spread) = (SmoothedValue(0.5), SmoothedValue(0), SmoothedValue(0), SmoothedValue(0))
    /// The cutoff in octaves above 1 Hz.
    var cutoff = SmoothedValue(10)
    var (resonance, amount, keyTracking, filterVelocity) = (SmoothedValue(0), SmoothedValue(0), SmoothedValue(0), SmoothedValue(0))
    var velocity = SmoothedValue(0)
    var (filterShape, shape) = (EnvelopeShape(), EnvelopeShape())
    var lfo = LowFrequencyOscillator()
    var (vibrato, wheel, modulatedFilter) = (SmoothedValue(0), SmoothedValue(0), SmoothedValue(0))
    var (modulatedWidth, pressure) = (SmoothedValue(0), SmoothedValue(0))
    /// The time from one note's pitch to the next, in frames.
    var glideFrameCount: Float = 0
    let sampleRate: Float

    /// The frames between two updates of a voice's controls.
    static var period: Int { @_noLocks get { BandLimitedOscillator.mostFrames } }

    init(sampleRate: Double) { self.sampleRate = Float(sampleRate) }

    /// Sets a value, which is reached over `frames` frames.
    @_noLocks mutating func set(_ address: Address, to value: Float, over frames: Int) {
        switch address {
        case .wave: wave = Self.wave(value)
        case .wave2: wave2 = Self.wave(value)
        case .width: width.ramp(to: value / 100, over: frames)
        case .pitch2: pitch2.ramp(to: value, over: frames)
        case .detune: detune.ramp(to: value, over: frames)
        case .mix: mix.ramp(to: value / 100, over: frames)
        case .sub: sub.ramp(to: value / 100, over: frames)
        case .noise: noise.ramp(to: value / 100, over: frames)
        case .spread: spread.ramp(to: value / 100, over: frames)
        case .velocity: velocity.ramp(to: value / 100, over: frames)
        case .glide: glideFrameCount = value * sampleRate
        case .attack, .decay, .sustain, .release: setShape(address, value)
        case .filterAttack, .filterDecay, .filterSustain, .filterRelease: setFilterShape(address, value)
        default: setMovement(address, to: value, over: frames)
        }
    }

    @_noLocks private mutating func setMovement(_ address: Address, to value: Float, over frames: Int) {
        switch address {
        case .filterType: filterType = Self.filterType(value)
        case .cutoff: cutoff.ramp(to: Maths.log2(value), over: frames)
        case .resonance: resonance.ramp(to: value / 100, over: frames)
        case .amount: amount.ramp(to: value, over: frames)
        case .keyTracking: keyTracking.ramp(to: value / 100, over: frames)
        case .filterVelocity: filterVelocity.ramp(to: value / 100, over: frames)
        case .modulationWave: lfo.wave = Int(value)
        case .rate: lfo.setRate(value / sampleRate)
        case .vibrato: vibrato.ramp(to: value / 100, over: frames)
        case .wheel: wheel.ramp(to: value / 100, over: frames)
        case .modulatedFilter: modulatedFilter.ramp(to: value, over: frames)
        case .modulatedWidth: modulatedWidth.ramp(to: value / 100, over: frames)
        case .pressure: pressure.ramp(to: value, over: frames)
        default: break
        }
    }

    @_noLocks private mutating func setShape(_ address: Address, _ value: Float) {
        switch address {
        case .attack: shape.setAttack(frameCount: value * sampleRate)
        case .decay: shape.setDecay(frameCount: value * sampleRate)
        case .release: shape.setRelease(frameCount: value * sampleRate)
        default: shape.setSustain(value / 100)
        }
    }

    /// Sets the filter's envelope, which advances once a period.
    @_noLocks private mutating func setFilterShape(_ address: Address, _ value: Float) {
        let periods = value * sampleRate / Float(Self.period)
        switch address {
        case .filterAttack: filterShape.setAttack(frameCount: periods)
        case .filterDecay: filterShape.setDecay(frameCount: periods)
        case .filterRelease: filterShape.setRelease(frameCount: periods)
        default: filterShape.setSustain(value / 100)
        }
    }

    /// Advances the values, once all voices have rendered.
    @_noLocks mutating func advance(by frameCount: Int) {
        lfo.advance(by: frameCount)
        Self.advance(&width, &pitch2, &detune, &mix, frameCount)
        Self.advance(&sub, &noise, &spread, &velocity, frameCount)
        Self.advance(&cutoff, &resonance, &amount, &keyTracking, frameCount)
        Self.advance(&filterVelocity, &vibrato, &wheel, &pressure, frameCount)
        _ = modulatedFilter.advance(by: frameCount)
        _ = modulatedWidth.advance(by: frameCount)
    }

    @inline(__always) @_noLocks private static func advance(
        _ first: inout SmoothedValue, _ second: inout SmoothedValue, _ third: inout SmoothedValue, _ fourth: inout SmoothedValue,
        _ frameCount: Int
    ) {
        _ = first.advance(by: frameCount)
        _ = second.advance(by: frameCount)
        _ = third.advance(by: frameCount)
        _ = fourth.advance(by: frameCount)
    }

    /// Jumps to the targets of all values.
    @_noLocks mutating func reset() {
        advance(by: .max)
        lfo.restart()
    }

    @_noLocks private static func wave(_ value: Float) -> BandLimitedOscillator.Wave {
        switch Int(value) {
        case 0: .sine
        case 1: .triangle
        case 2: .saw
        default: .pulse
        }
    }

    @_noLocks private static func filterType(_ value: Float) -> VoiceFilter.Kind {
        switch Int(value) {
        case 0: .lowPass
        case 1: .steepLowPass
        case 2: .bandPass
        default: .highPass
        }
    }
}

extension SmoothedValue {
    /// The value `frameCount` frames after the next one.
    @inline(__always) @_noLocks func value(after frameCount: Int) -> Float {
        var later = self
        return later.advance(by: frameCount)
    }
}
