// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The clap of several hands. Any thread.

import Realtime

/// Noise around 1 kHz in three bursts, with the sound of a room after them, as in analogue drum machines.
@frozen
public struct HandClap: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let burst: Double
    @usableFromInline let rest: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var (palm, air): (StateVariableFilter, StateVariableFilter)

    /// `[any]` Claps.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) {
        let rate = stroke.sampleRate
        velocity = stroke.velocity
        (burst, rest) = (0.004, 0.055 * stroke.decay)
        time = StrokeTime(duration: 0.03 + 7 * rest, fade: 0.03, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        palm = StateVariableFilter(cutoff: 1150 * stroke.pitch, resonance: 1.4, sampleRate: rate)
        air = StateVariableFilter(cutoff: 2500 * stroke.pitch, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let hiss = noise.sample()
        let sound = 1.5 * palm.process(hiss).band + (0.1 + 0.35 * velocity) * air.process(hiss).high
        // The hands clap 11 ms apart.
        let place = now < 0.022 ? now - 0.011 * Double(Int(now / 0.011)) : now - 0.022
        let envelope = now < 0.022 ? Maths.exp(-place / burst) : 0.55 * Maths.exp(-place / rest) + 0.45 * Maths.exp(-place / burst)
        return velocity * Maths.tanh(1.2 * sound * envelope * min(1, place / 0.0004)) * end
    }
}
