// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tambourine and a shaker. Any thread.

import Realtime

/// Small objects that hit each other: the jingles of a tambourine, or the beads of a shaker.
@frozen
public struct Jingles: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let metalLevel: Double
    @usableFromInline let rise: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var metal: MetalCluster
    @usableFromInline var (air, colour): (StateVariableFilter, StateVariableFilter)
    @usableFromInline var (body, ring): (Decay, Decay)

    /// `[any]` Shakes a tambourine.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, isShaker: false) }

    /// `[any]` Strikes a tambourine, or shakes a shaker once.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, isShaker: Bool) {
        let (rate, pitch) = (stroke.sampleRate, stroke.pitch)
        velocity = stroke.velocity
        (metalLevel, rise) = isShaker ? (0, 0.03 - 0.012 * velocity) : (0.8, 0.003)
        let seconds = (isShaker ? 0.03 : 0.07) * stroke.decay
        time = StrokeTime(duration: rise + 6.5 * seconds, fade: 0.02, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        metal = MetalCluster(tuning: 3.3 * pitch, lower: 7600 * pitch, upper: 11_800 * pitch, sampleRate: rate)
        air = StateVariableFilter(cutoff: 4200 * pitch, sampleRate: rate)
        colour = StateVariableFilter(cutoff: (5200 + 2600 * velocity) * pitch, resonance: 1.3, sampleRate: rate)
        body = Decay(seconds: seconds, sampleRate: rate)
        ring = Decay(seconds: 0.02 * stroke.decay, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let hiss = colour.process(air.process(noise.sample()).high).band
        let sound = hiss + metalLevel * metal.next()
        // The decay begins only after the rise.
        let level = now < rise ? (now / rise) * (now / rise) : 0.7 * body.next() + 0.3 * ring.next()
        return velocity * sound * level * end
    }
}
