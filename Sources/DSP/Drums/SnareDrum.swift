// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A snare drum, from ghost note to backbeat. Any thread.

import Realtime

/// Two membrane modes, and the rattle of the wires.
///
/// The modes are about as far apart as the lowest two of a snare drum with both heads coupled. The wires are filtered noise, as
/// in subtractive drum synthesis. A harder stroke makes them brighter and longer.
///
/// Source: Fletcher and Rossing, "The Physics of Musical Instruments", chapter 18.
@frozen
public struct SnareDrum: Drum, Sendable {
    @usableFromInline let stroke: DrumStroke
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var modes: Modes
    @usableFromInline var wires: Wires

    /// `[any]` Strikes the drum.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) {
        self.stroke = stroke
        let duration = (0.16 + 0.3 * stroke.velocity) * max(0.3, stroke.decay)
        time = StrokeTime(duration: duration, fade: 0.03, sampleRate: stroke.sampleRate)
        noise = NoiseSource(seed: stroke.seed)
        modes = Modes(stroke)
        wires = Wires(stroke)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let sound = modes.next() * 0.55 + 1.25 * wires.process(noise.sample(), at: now)
        return stroke.velocity * Maths.tanh(1.3 * sound) * end
    }

    @frozen @usableFromInline struct Modes: BitwiseCopyable, Sendable {
        @usableFromInline let step: Double
        @usableFromInline let velocity: Double
        @usableFromInline var (lower, upper) = (0.0, 0.0)
        @usableFromInline var (tension, lowerDecay, upperDecay): (Decay, Decay, Decay)

        @inlinable @_noLocks init(_ stroke: DrumStroke) {
            (step, velocity) = (2 * .pi * stroke.pitch / stroke.sampleRate, stroke.velocity)
            tension = Decay(seconds: 0.012, sampleRate: stroke.sampleRate)
            lowerDecay = Decay(seconds: 0.055 * stroke.decay, sampleRate: stroke.sampleRate)
            upperDecay = Decay(seconds: 0.038 * stroke.decay, sampleRate: stroke.sampleRate)
        }

        @inlinable @_noLocks mutating func next() -> Double {
            // A struck head is tighter at first.
            let tightness = 1 + 0.22 * velocity * tension.next()
            lower += step * 186 * tightness
            upper += step * 331 * tightness
            return Maths.sin(lower) * lowerDecay.next() + 0.6 * Maths.sin(upper) * upperDecay.next()
        }
    }

    @frozen @usableFromInline struct Wires: BitwiseCopyable, Sendable {
        @usableFromInline let velocity: Double
        @usableFromInline var (low, peak, top): (StateVariableFilter, StateVariableFilter, StateVariableFilter)
        @usableFromInline var (crack, rattle): (Decay, Decay)

        @inlinable @_noLocks init(_ stroke: DrumStroke) {
            let rate = stroke.sampleRate
            velocity = stroke.velocity
            low = StateVariableFilter(cutoff: 620 * stroke.pitch, sampleRate: rate)
            peak = StateVariableFilter(cutoff: 4300, resonance: 0.8, sampleRate: rate)
            top = StateVariableFilter(cutoff: 4500 + 9000 * velocity, sampleRate: rate)
            crack = Decay(seconds: 0.012, sampleRate: rate)
            rattle = Decay(seconds: (0.045 + 0.065 * velocity) * stroke.decay, sampleRate: rate)
        }

        @inlinable @_noLocks mutating func process(_ noise: Double, at time: Double) -> Double {
            let bright = low.process(noise).high
            let shaped = 0.55 * bright + 0.9 * peak.process(bright).band
            return top.process(shaped).low * (0.6 * velocity * crack.next() + 0.55 * rattle.next() * min(1, time / 0.002))
        }
    }
}
