// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A samba whistle. Any thread.

import Realtime

/// A high tone that the ball in the whistle interrupts, with breath around it.
@frozen
public struct WhistleBlow: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let (step, trillStep): (Double, Double)
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var breath: StateVariableFilter
    @usableFromInline var (phase, trill) = (0.0, 0.0)

    /// `[any]` Blows once, shortly.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, seconds: 0.14) }

    /// `[any]` Blows for `seconds`.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, seconds: Double) {
        let rate = stroke.sampleRate
        velocity = stroke.velocity
        (step, trillStep) = (2 * .pi * min(2350 * stroke.pitch, 0.2 * rate) / rate, 2 * .pi * 38 / rate)
        time = StrokeTime(duration: seconds * max(0.3, stroke.decay), fade: 0.04, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        breath = StateVariableFilter(cutoff: (2600 + 1800 * velocity) * stroke.pitch, resonance: 1, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        trill += trillStep
        let ball = Maths.sin(trill)
        phase += step * (1 + 0.018 * ball)
        let tone = Maths.sin(phase) + 0.35 * velocity * Maths.sin(2 * phase) + 0.15 * velocity * Maths.sin(3 * phase)
        let air = breath.process(noise.sample()).band * (0.1 + 0.25 * velocity)
        return velocity * (0.5 * tone * (0.65 + 0.35 * ball) + air) * min(1, now / 0.012) * end * end
    }
}
