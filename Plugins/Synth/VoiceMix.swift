// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of a voice's sources in both channels, which glide to their targets. Render thread.

import PluginSDK

/// Levels that glide in a straight line over a period.
struct VoiceMix: BitwiseCopyable {
    private(set) var (first, second) = (SIMD2<Float>(0, 0), SIMD2<Float>(0, 0))
    private(set) var (sub, noise, gain): (Float, Float, Float) = (0, 0, 0)
    private var (firstStep, secondStep) = (SIMD2<Float>(0, 0), SIMD2<Float>(0, 0))
    private var (subStep, noiseStep, gainStep): (Float, Float, Float) = (0, 0, 0)

    /// The gain of a voice at full velocity, so that chords stay below full scale.
    private static var headroom: Float { @_noLocks get { 0.25 } }

    @_noLocks init() {}

    /// Aims at the levels of the patch, or jumps to them.
    @_noLocks mutating func aim(_ velocity: Float, _ expression: Float, _ patch: SynthPatch, _ frame: Int, jumps: Bool) {
        let (share, spread) = (patch.mix.value(after: frame), patch.spread.value(after: frame))
        let sensitivity = patch.velocity.value(after: frame)
        let near = SIMD2(1 + spread, 1 - spread)
        let far = SIMD2(1 - spread, 1 + spread)
        let wanted = (near * (1 - share), far * share)
        let wantedSub = patch.sub.value(after: frame)
        let wantedNoise = patch.noise.value(after: frame)
        let wantedGain = Self.headroom * expression * (1 - sensitivity + sensitivity * velocity * velocity)
        if jumps {
            (first, second, sub, noise, gain) = (wanted.0, wanted.1, wantedSub, wantedNoise, wantedGain)
        }
        let part = 1 / Float(SynthPatch.period)
        firstStep = (wanted.0 - first) * part
        secondStep = (wanted.1 - second) * part
        (subStep, noiseStep, gainStep) = ((wantedSub - sub) * part, (wantedNoise - noise) * part, (wantedGain - gain) * part)
    }

    @inline(__always) @_noLocks mutating func advance() {
        first += firstStep
        second += secondStep
        sub += subStep
        noise += noiseStep
        gain += gainStep
    }
}
