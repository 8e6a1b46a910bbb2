// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A stick on the rim of a snare drum. Any thread.

import Realtime

/// Two modes of wood, and a click.
@frozen
public struct SideStick: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let step: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var click: StateVariableFilter
    @usableFromInline var (low, high, tick): (Decay, Decay, Decay)
    @usableFromInline var phase = 0.0

    /// `[any]` Strikes the rim.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) {
        let rate = stroke.sampleRate
        (velocity, step) = (stroke.velocity, 2 * .pi * 480 * stroke.pitch / rate)
        time = StrokeTime(duration: 0.12 * max(0.3, stroke.decay), fade: 0.02, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        click = StateVariableFilter(cutoff: 2600 + 2600 * velocity, resonance: 1.2, sampleRate: rate)
        low = Decay(seconds: 0.02 * stroke.decay, sampleRate: rate)
        high = Decay(seconds: 0.012 * stroke.decay, sampleRate: rate)
        tick = Decay(seconds: 0.003, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        phase += step
        let wood = 0.5 * Maths.sin(phase) * low.next() + 0.8 * Maths.sin(3.52 * phase) * high.next()
        let knock = click.process(noise.sample() * tick.next()).band
        return velocity * Maths.tanh(wood * min(1, now / 0.0003) + (0.4 + 0.8 * velocity) * knock) * end
    }
}
