// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A cowbell. Any thread.

import Realtime

/// Two squares a rough fifth apart through a band-pass filter, as in analogue drum machines.
///
/// Source: Werner, Abel and Smith, "More Cowbell: A Physically-Informed, Circuit-Bendable, Digital Model of the TR-808
/// Cowbell", AES 2014.
@frozen
public struct Cowbell: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var (low, high): (StepOscillator, StepOscillator)
    @usableFromInline var filter: StateVariableFilter
    @usableFromInline var (body, stroke): (Decay, Decay)

    /// `[any]` Strikes the bell.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) {
        let rate = stroke.sampleRate
        velocity = stroke.velocity
        time = StrokeTime(duration: 0.6 * max(0.2, stroke.decay), fade: 0.05, sampleRate: rate)
        low = StepOscillator(frequency: 540 * stroke.pitch, sampleRate: rate)
        high = StepOscillator(frequency: 800 * stroke.pitch, phase: 0.3, sampleRate: rate)
        filter = StateVariableFilter(cutoff: (1400 + 1600 * velocity) * stroke.pitch, resonance: 1.1, sampleRate: rate)
        body = Decay(seconds: 0.1 * stroke.decay, sampleRate: rate)
        self.stroke = Decay(seconds: 0.01, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let bell = filter.process(0.5 * (low.square() + high.square())).band
        return velocity * bell * (0.55 * body.next() + 0.6 * stroke.next()) * min(1, now / 0.0005) * end
    }
}
