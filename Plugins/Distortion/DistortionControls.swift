// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's parameters on the way to their targets. Render thread.

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
    private var preGain = SmoothedValue(1)
    private var echoMix = SmoothedValue(0)
    private var echoFeedback = SmoothedValue(0)
    private var echoTime: EchoTime
    private var cuts = (SmoothedValue(4), SmoothedValue(14), SmoothedValue(4), SmoothedValue(14))
    private var ringTurns = 0.0
    private let sampleRate: Float

    init(sampleRate: Double, fadeFrameCount: Int) {
        self.sampleRate = Float(sampleRate)
        echoTime = EchoTime(fadeFrameCount: fadeFrameCount)
    }

    /// The targets for the tail: the gain before the curve in decibels, and the lower one of the low cuts in hertz.
    var targetDrive: Float {
        @_noLocks get { 2 * Maths.decibels(fromGain: rootDrive.target) + max(0, Maths.decibels(fromGain: preGain.target)) }
    }
    var targetLowCut: Float { @_noLocks get { Maths.exp2(min(cuts.0.target, cuts.2.target)) } }

    /// The frames until the echoes have fallen by `decibels`; none if they are not heard.
    @_noLocks func echoTail(decibels: Float) -> Float {
        guard echoMix.target > 0 else { return 0 }
        let loss = -Maths.decibels(fromGain: max(1e-3, echoFeedback.target))
        return echoTime.wanted * (2 + Maths.floor(decibels / loss))
    }

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
        case .preGain: preGain.ramp(to: Maths.gain(fromDecibels: value), over: frames)
        case .echoTime: echoTime.set(value * 0.001 * sampleRate)
        case .echoFeedback: echoFeedback.ramp(to: value * 0.01, over: frames)
        case .echoMix: echoMix.ramp(to: value * 0.01, over: frames)
        case .curve: break
        }
    }

    /// Opens a high cut that is at the end of its range, at every sample rate.
    @_noLocks private func opened(_ frequency: Float) -> Float {
        frequency < 22_000 ? frequency : max(frequency, 0.49 * sampleRate)
    }

    /// True if the filters need new coefficients.
    var areCutsMoving: Bool {
        @_noLocks get { cuts.0.isMoving || cuts.1.isMoving || cuts.2.isMoving || cuts.3.isMoving }
    }

    /// Advances the filters' frequencies.
    @_noLocks mutating func advanceCuts(by frameCount: Int) {
        _ = cuts.0.advance(by: frameCount)
        _ = cuts.1.advance(by: frameCount)
        _ = cuts.2.advance(by: frameCount)
        _ = cuts.3.advance(by: frameCount)
    }

    /// The filters' present frequencies in octaves above 1 Hz, for `BandLimits`.
    var cutOctaves: SIMD4<Float> {
        @_noLocks get { SIMD4(cuts.0.current, cuts.1.current, cuts.2.current, cuts.3.current) }
    }

    /// Writes the controls of the next frames.
    @_noLocks mutating func fill(_ rows: borrowing ControlRows, frameCount: Int) {
        rows.fill(.rootDrive, &rootDrive, frameCount)
        rows.fill(.bias, &bias, frameCount)
        rows.fill(.mix, &mix, frameCount)
        rows.fill(.outputGain, &outputGain, frameCount)
        rows.fill(.ringMix, &ringMix, frameCount)
        rows.fill(.crushMix, &crushMix, frameCount)
        rows.fill(.preGain, &preGain, frameCount)
        rows.fill(.echoMix, &echoMix, frameCount)
        fillRing(rows, frameCount)
        fillCrusher(rows, frameCount)
        fillEcho(rows, frameCount)
    }

    /// Writes nothing while the ring modulator is off, but advances its sine.
    @_noLocks private mutating func fillRing(_ rows: borrowing ControlRows, _ frameCount: Int) {
        let isOn = rows.isOn(.ringMix, frameCount: frameCount)
        var step = Maths.exp2(ringOctave.current) / sampleRate
        for frame in 0..<frameCount {
            if isOn {
                rows[.ringTurns][frame] = Float(ringTurns)
                rows[.ringStep][frame] = step
            }
            ringTurns += Double(step)
            if ringTurns >= 1 { ringTurns -= 1 }
            if ringOctave.isMoving { step = Maths.exp2(ringOctave.advance(by: 1)) / sampleRate }
        }
    }

    @_noLocks private mutating func fillCrusher(_ rows: borrowing ControlRows, _ frameCount: Int) {
        if !rows.isOn(.crushMix, frameCount: frameCount) {
            _ = crushBits.advance(by: frameCount)
            _ = crushOctave.advance(by: frameCount)
            return
        }
        var levels = Maths.exp2(crushBits.current - 1)
        var step = min(1, Maths.exp2(crushOctave.current) / sampleRate)
        for frame in 0..<frameCount {
            rows[.crushLevels][frame] = levels
            rows[.crushStep][frame] = step
            if crushBits.isMoving { levels = Maths.exp2(crushBits.advance(by: 1) - 1) }
            if crushOctave.isMoving { step = min(1, Maths.exp2(crushOctave.advance(by: 1)) / sampleRate) }
        }
    }

    /// While the echo is off, its delay is inaudible, and may jump.
    @_noLocks private mutating func fillEcho(_ rows: borrowing ControlRows, _ frameCount: Int) {
        if rows.isOn(.echoMix, frameCount: frameCount) {
            rows.fill(.echoFeedback, &echoFeedback, frameCount)
            echoTime.fill(rows, frameCount)
        } else {
            _ = echoFeedback.advance(by: frameCount)
            echoTime.jump()
        }
    }

    /// Jumps to all targets, and to the start of the ring modulator's sine.
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
        preGain.jump(to: preGain.target)
        echoMix.jump(to: echoMix.target)
        echoFeedback.jump(to: echoFeedback.target)
        echoTime.jump()
        advanceCuts(by: .max)
        ringTurns = 0
    }
}
