// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bass drum. Any thread.

import Realtime

/// A sine with a falling pitch, and a click of the beater.
///
/// The model follows the bridged-T resonator of analogue drum machines, whose pitch falls, with a second, faster sweep for the
/// attack.
///
/// Source: Werner, Abel and Smith, "A Physically-Informed, Circuit-Bendable, Digital Model of the Roland TR-808 Bass Drum
/// Circuit", DAFx 2014.
@frozen
public struct KickDrum: Drum, Sendable {
    @usableFromInline let stroke: DrumStroke
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var click: StateVariableFilter
    @usableFromInline var (body, beater, sigh, attack): (Decay, Decay, Decay, Decay)
    @usableFromInline var phase = 0.0

    /// `[any]` Strikes the drum.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) {
        self.stroke = stroke
        let rate = stroke.sampleRate
        time = StrokeTime(duration: 0.55 * max(0.2, stroke.decay), fade: 0.05, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        click = StateVariableFilter(cutoff: 3200, resonance: 0.9, sampleRate: rate)
        body = Decay(seconds: 0.11 * stroke.decay, sampleRate: rate)
        beater = Decay(seconds: 0.0035, sampleRate: rate)
        sigh = Decay(seconds: 0.030, sampleRate: rate)
        attack = Decay(seconds: 0.007, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let frequency = stroke.pitch * (52 + 70 * sigh.next() + 190 * stroke.velocity * attack.next())
        phase += 2 * .pi * frequency / stroke.sampleRate
        let tone = Maths.sin(phase) * body.next() * min(1, now / 0.0012)
        let knock = click.process(noise.sample() * beater.next()).band * 0.5 * stroke.velocity
        return Maths.tanh(1.6 * stroke.velocity * tone + knock) * end
    }
}
