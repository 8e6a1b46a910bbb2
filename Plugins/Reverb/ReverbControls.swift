// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb's parameters on the way to their targets. Render thread.

import PluginSDK

/// All parameters of the reverb.
///
/// Times, ratios and frequencies glide in octaves; the room itself is cross-faded.
struct ReverbControls {
    var size: Float = 10
    var preDelay: Float = 0
    private var decay = SmoothedValue(1)
    private var lowDecay = SmoothedValue(0)
    private var highDecay = SmoothedValue(-1)
    private(set) var diffusion = SmoothedValue(1)
    private(set) var modulationDepth = SmoothedValue(0.3)
    private var modulationRate = SmoothedValue(-1)
    private var lowCut = SmoothedValue(4)
    private var highCut = SmoothedValue(14)
    var early = SmoothedValue(0.5)
    var late = SmoothedValue(1)
    var width = SmoothedValue(1)
    var dry = SmoothedValue(1)
    var wet = SmoothedValue(0)
    private let sampleRate: Float

    init(sampleRate: Double) { self.sampleRate = Float(sampleRate) }

    @_noLocks mutating func set(_ address: Reverb.Address, to value: Float, over frames: Int) {
        switch address {
        case .decay: decay.ramp(to: Maths.log2(value), over: frames)
        case .lowDecay: lowDecay.ramp(to: Maths.log2(value), over: frames)
        case .highDecay: highDecay.ramp(to: Maths.log2(value), over: frames)
        case .size: size = value
        case .preDelay: preDelay = value * 0.001
        case .diffusion: diffusion.ramp(to: value * 0.01, over: frames)
        case .modulationDepth: modulationDepth.ramp(to: value * 0.01, over: frames)
        case .modulationRate: modulationRate.ramp(to: Maths.log2(value), over: frames)
        case .early: early.ramp(to: value * 0.01, over: frames)
        case .lowCut: lowCut.ramp(to: Maths.log2(value), over: frames)
        case .highCut: highCut.ramp(to: Maths.log2(opened(value)), over: frames)
        case .width: width.ramp(to: value * 0.01, over: frames)
        case .mix: setMix(value * 0.01, over: frames)
        }
    }

    /// Mixes at equal power, because dry and wet sound are not similar.
    @_noLocks private mutating func setMix(_ share: Float, over frames: Int) {
        dry.ramp(to: share >= 1 ? 0 : Maths.cos(share * .pi / 2), over: frames)
        wet.ramp(to: Maths.sin(share * .pi / 2), over: frames)
    }

    /// Opens the high cut if it is at the end of its range, at every sample rate.
    @_noLocks private func opened(_ frequency: Float) -> Float {
        frequency < 22_000 ? frequency : max(frequency, 0.49 * sampleRate)
    }

    /// The frames that sound needs across the room, at 343 m/s.
    var crossing: Float { @_noLocks get { size / 343 * sampleRate } }
    /// The unit of the network's lengths, in frames.
    ///
    /// It grows more slowly than the room. Otherwise the echoes of large rooms would be sparse, and the resonances of small
    /// rooms would be far apart.
    var networkCrossing: Float { @_noLocks get { crossing * Maths.pow(size / 12, -0.35) } }
    var preDelayFrameCount: Int { @_noLocks get { Int(preDelay * sampleRate + 0.5) } }
    var decayTimes: DecayTimes {
        @_noLocks get {
            DecayTimes(
                low: Maths.exp2(decay.current + lowDecay.current), middle: Maths.exp2(decay.current),
                high: Maths.exp2(decay.current + highDecay.current))
        }
    }
    /// The longest of the target decay times, in seconds.
    var longestDecay: Float {
        @_noLocks get { Maths.exp2(decay.target + max(0, lowDecay.target)) }
    }
    var modulationFrequency: Float { @_noLocks get { Maths.exp2(modulationRate.current) } }
    var lowCutFrequency: Float { @_noLocks get { Maths.exp2(lowCut.current) } }
    var highCutFrequency: Float { @_noLocks get { Maths.exp2(highCut.current) } }

    var isDecayMoving: Bool {
        @_noLocks get { decay.isMoving || lowDecay.isMoving || highDecay.isMoving || diffusion.isMoving }
    }
    var areCutsMoving: Bool { @_noLocks get { lowCut.isMoving || highCut.isMoving } }

    /// Advances the slow values.
    @_noLocks mutating func advance(by frameCount: Int) {
        _ = decay.advance(by: frameCount)
        _ = lowDecay.advance(by: frameCount)
        _ = highDecay.advance(by: frameCount)
        _ = diffusion.advance(by: frameCount)
        _ = modulationDepth.advance(by: frameCount)
        _ = modulationRate.advance(by: frameCount)
        _ = lowCut.advance(by: frameCount)
        _ = highCut.advance(by: frameCount)
    }

    /// Jumps to every target.
    @_noLocks mutating func reset() {
        advance(by: .max)
        early.jump(to: early.target)
        late.jump(to: late.target)
        width.jump(to: width.target)
        dry.jump(to: dry.target)
        wet.jump(to: wet.target)
    }
}
