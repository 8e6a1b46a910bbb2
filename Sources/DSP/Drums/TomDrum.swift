// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tom-tom of any size. Any thread.

import Realtime

/// Two modes of a membrane, and the noise of the skin.
///
/// The second mode is that of an ideal round membrane. Source: Fletcher and Rossing, "The Physics of Musical Instruments",
/// chapter 3.
@frozen
public struct TomDrum: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let step: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var skin: StateVariableFilter
    @usableFromInline var (tension, body): (Decay, Decay)
    @usableFromInline var (upperBody, slap): (Decay, Decay)
    @usableFromInline var (lower, upper) = (0.0, 0.0)

    /// `[any]` Strikes a tom of 110 Hz.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, frequency: 110) }

    /// `[any]` Strikes a tom whose lowest mode has the given frequency in hertz.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, frequency: Double) {
        let rate = stroke.sampleRate
        velocity = stroke.velocity
        step = 2 * .pi * frequency * stroke.pitch / rate
        // A large drum rings longer.
        let seconds = stroke.decay * 0.16 * Maths.sqrt(110 / frequency)
        time = StrokeTime(duration: 6 * seconds, fade: 0.05, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        skin = StateVariableFilter(cutoff: (700 + 2200 * velocity) * stroke.pitch, sampleRate: rate)
        tension = Decay(seconds: 0.03, sampleRate: rate)
        body = Decay(seconds: seconds, sampleRate: rate)
        upperBody = Decay(seconds: 0.4 * seconds, sampleRate: rate)
        slap = Decay(seconds: 0.008, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let tightness = 1 + 0.35 * velocity * tension.next()
        lower += step * tightness
        upper += 1.594 * step * tightness
        let tone = Maths.sin(lower) * body.next() + 0.35 * velocity * Maths.sin(upper) * upperBody.next()
        let stick = skin.process(noise.sample()).low * slap.next() * 0.7 * velocity
        return velocity * Maths.tanh(1.3 * (tone * min(1, now / 0.001) + stick)) * end
    }
}
