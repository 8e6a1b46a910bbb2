// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Drums that are played with hands or thin sticks: bongos, congas and timbales. Any thread.

import Realtime

/// Two modes of a tight skin, the slap of the hand, and the ring of a shell.
///
/// The second mode is that of an ideal round membrane. Source: Fletcher and Rossing, "The Physics of Musical Instruments",
/// chapter 3.
@frozen
public struct HandDrum: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let step: Double
    @usableFromInline let shellLevel: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var hand: StateVariableFilter
    @usableFromInline var (tension, body, upperBody, slap): (Decay, Decay, Decay, Decay)
    @usableFromInline var (lower, upper) = (0.0, 0.0)

    /// `[any]` Strikes an open conga.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, frequency: 220, seconds: 0.12) }

    /// `[any]` Strikes a skin of a frequency in hertz that decays by 8.7 dB in `seconds`.
    ///
    /// `shell` is the level of a metal shell above it, 0 for wood and 1 for a timbale.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, frequency: Double, seconds: Double, shell: Double = 0) {
        let (rate, decay) = (stroke.sampleRate, seconds * stroke.decay)
        (velocity, shellLevel) = (stroke.velocity, shell)
        step = 2 * .pi * frequency * stroke.pitch / rate
        time = StrokeTime(duration: 0.04 + 6 * decay, fade: 0.02, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        hand = StateVariableFilter(cutoff: (900 + 2600 * velocity) * stroke.pitch, resonance: 1.2, sampleRate: rate)
        tension = Decay(seconds: 0.012, sampleRate: rate)
        body = Decay(seconds: decay, sampleRate: rate)
        upperBody = Decay(seconds: 0.45 * decay, sampleRate: rate)
        slap = Decay(seconds: 0.006, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let tightness = 1 + 0.12 * velocity * tension.next()
        lower += step * tightness
        upper += 1.594 * step * tightness
        let skin = Maths.sin(lower) * body.next()
        let ring = upperBody.next()
        let bright = (0.2 + 0.4 * velocity) * Maths.sin(upper) * ring
        let shell = shellLevel * (0.25 + 0.5 * velocity) * Maths.sin(4.33 * lower) * ring
        let knock = hand.process(noise.sample()).band * slap.next() * (0.3 + 1.1 * velocity)
        return velocity * Maths.tanh(1.1 * ((skin + bright + shell) * min(1, now / 0.0006) + knock)) * end
    }
}
