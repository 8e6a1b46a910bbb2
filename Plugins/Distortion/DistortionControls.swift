// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's parameters as they move to their targets. Render thread.

import PluginSDK

/// Every smoothed parameter.
///
/// Frequencies and rates glide in octaves, the drive in the root of its factor.
struct DistortionControls {
    private var rootDrive = SmoothedValue(1)
    private var bias = SmoothedValue(0)
    private var ringMix = SmoothedValue(0)
    private var ringOctave = SmoothedValue(8)
    private var crushMix = SmoothedValue(0)
    private var crushBits = SmoothedValue(8)
    private var crushOctave = SmoothedValue(14)
    private var mix = SmoothedValue(1)
    private var outputGain = SmoothedValue(1)
    private var cuts = (SmoothedValue(4), SmoothedValue(14), SmoothedValue(4), SmoothedValue(14))
    private var ringTurns = 0.0
    private let sampleRate: Float

    init(sampleRate: Double) { self.sampleRate = Float(sampleRate) }

    /// The targets that the tail depends on: the drive in decibels, and the lower of the low cuts in hertz.
    var targetDrive: Float { @_noLocks get { 2 * Maths.decibels(fromGain: rootDrive.target) } }
    var targetLowCut: Float { @_noLocks get { Maths.exp2(min(cuts.0.target, cuts.2.target)) } }

    @_noLocks mutating func set(_ address: Distortion.Address, to value: Float, over frames: Int) {
        switch address {
        case .drive: rootDrive.ramp(to: Maths.gain(fromDecibels: value * 0.5), over: frames)
        case .bias: bias.ramp(to: value, over: frames)
        case .inputLowCut: cuts.0.ramp(to: Maths.log2(value), over: frames)
        case .inputHighCut: cuts.1.ramp(to: Maths.log2(opened(value)), over: frames)
        case .toneLowCut: cuts.2.ramp(to: Maths.log2(value), over: frames)
        case .toneHighCut: cuts.3.ramp(to: Maths.log2(opened(value)), over: frames)
        case .ringFrequency: ringOctave.ramp(to: Maths.log2(value), over: frames)
        case .ringMix: ringMix.ramp(to: value * 0.01, over: frames)
        case .crushBits: crushBits.ramp(to: value, over: frames)
        case .crushRate: crushOctave.ramp(to: Maths.log2(value), over: frames)
        case .crushMix: crushMix.ramp(to: value * 0.01, over: frames)
        case .mix: mix.ramp(to: value * 0.01, over: frames)
        case .output: outputGain.ramp(to: Maths.gain(fromDecibels: value), over: frames)
        case .curve: break
        }
    }

    /// Opens a high cut that stands at the end of its range, at every sample rate.
    @_noLocks private func opened(_ frequency: Float) -> Float {
        frequency < 22_000 ? frequency : max(frequency, 0.49 * sampleRate)
    }

    /// Whether the filters need new coefficients.
    var areCutsMoving: Bool {
        @_noLocks get { cuts.0.isMoving || cuts.1.isMoving || cuts.2.isMoving || cuts.3.isMoving }
    }

    /// Moves the filters' frequencies on.
    @_noLocks mutating func advanceCuts(by frameCount: Int) {
        _ = cuts.0.advance(by: frameCount)
        _ = cuts.1.advance(by: frameCount)
        _ = cuts.2.advance(by: frameCount)
        _ = cuts.3.advance(by: frameCount)
    }

    /// Sets the filters of a channel to the present frequencies.
    @_noLocks func tune(_ channel: inout DistortionChannel) {
        channel.inputLowCut.tune(to: Maths.exp2(cuts.0.current), sampleRate: sampleRate)
        channel.inputHighCut.tune(to: Maths.exp2(cuts.1.current), sampleRate: sampleRate)
        channel.toneLowCut.tune(to: Maths.exp2(cuts.2.current), sampleRate: sampleRate)
        channel.toneHighCut.tune(to: Maths.exp2(cuts.3.current), sampleRate: sampleRate)
    }

    /// Writes the controls of the coming frames.
    @_noLocks mutating func fill(_ rows: borrowing ControlRows, frameCount: Int) {
        rows.fill(.rootDrive, &rootDrive, frameCount)
        rows.fill(.bias, &bias, frameCount)
        rows.fill(.mix, &mix, frameCount)
        rows.fill(.outputGain, &outputGain, frameCount)
        rows.fill(.ringMix, &ringMix, frameCount)
        rows.fill(.crushMix, &crushMix, frameCount)
        fillRing(rows, frameCount)
        fillCrusher(rows, frameCount)
    }

    @_noLocks private mutating func fillRing(_ rows: borrowing ControlRows, _ frameCount: Int) {
        var step = Maths.exp2(ringOctave.current) / sampleRate
        for frame in 0..<frameCount {
            if ringOctave.isMoving { step = Maths.exp2(ringOctave.next()) / sampleRate }
            rows[.ringTurns][frame] = Float(ringTurns)
            rows[.ringStep][frame] = step
            ringTurns += Double(step)
            if ringTurns >= 1 { ringTurns -= 1 }
        }
    }

    @_noLocks private mutating func fillCrusher(_ rows: borrowing ControlRows, _ frameCount: Int) {
        var levels = Maths.exp2(crushBits.current - 1)
        var step = min(1, Maths.exp2(crushOctave.current) / sampleRate)
        for frame in 0..<frameCount {
            if crushBits.isMoving { levels = Maths.exp2(crushBits.next() - 1) }
            if crushOctave.isMoving { step = min(1, Maths.exp2(crushOctave.next()) / sampleRate) }
            rows[.crushLevels][frame] = levels
            rows[.crushStep][frame] = step
        }
    }

    /// Jumps to every target, and to the start of the ring modulator's sine.
    @_noLocks mutating func reset() {
        rootDrive.jump(to: rootDrive.target)
        bias.jump(to: bias.target)
        ringMix.jump(to: ringMix.target)
        ringOctave.jump(to: ringOctave.target)
        crushMix.jump(to: crushMix.target)
        crushBits.jump(to: crushBits.target)
        crushOctave.jump(to: crushOctave.target)
        mix.jump(to: mix.target)
        outputGain.jump(to: outputGain.target)
        advanceCuts(by: .max)
        ringTurns = 0
    }
}
