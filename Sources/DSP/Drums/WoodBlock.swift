// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Claves and wood blocks. Any thread.

import Realtime

/// Two modes of a piece of wood, and a click.
@frozen
public struct WoodBlock: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let step: Double
    @usableFromInline let ratio: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var click: StateVariableFilter
    @usableFromInline var (low, high, tick): (Decay, Decay, Decay)
    @usableFromInline var phase = 0.0

    /// `[any]` Strikes a wood block.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, frequency: 900, isBar: false) }

    /// `[any]` Strikes wood of a frequency in hertz: a hollow block, or a solid bar, which rings longer.
    ///
    /// A bar's second mode lies at 2.76 times the first, as that of a free bar does.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, frequency: Double, isBar: Bool) {
        let (rate, decay) = (stroke.sampleRate, stroke.decay)
        (velocity, ratio) = (stroke.velocity, isBar ? 2.756 : 1.52)
        step = 2 * .pi * frequency * stroke.pitch / rate
        time = StrokeTime(duration: 0.05 + (isBar ? 0.2 : 0.14) * decay, fade: 0.02, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        click = StateVariableFilter(cutoff: 3000 + 3000 * velocity, resonance: 1.1, sampleRate: rate)
        low = Decay(seconds: (isBar ? 0.032 : 0.02) * decay, sampleRate: rate)
        high = Decay(seconds: 0.009 * decay, sampleRate: rate)
        tick = Decay(seconds: 0.002, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        phase += step
        let wood = Maths.sin(phase) * low.next() + (0.15 + 0.5 * velocity) * Maths.sin(ratio * phase) * high.next()
        let knock = click.process(noise.sample() * tick.next()).band
        return velocity * Maths.tanh(1.2 * wood * min(1, now / 0.0002) + (0.2 + 0.9 * velocity) * knock) * end
    }
}
