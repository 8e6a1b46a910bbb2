// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A guiro that is scraped, and a vibraslap that rattles. Any thread.

import Realtime

/// A train of short bursts of noise: a stick over notches, or teeth in a box.
@frozen
public struct Scrape: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let (firstRate, lastRate, seconds): (Double, Double, Double)
    @usableFromInline let isRattle: Bool
    @usableFromInline let sampleRate: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var (box, air): (StateVariableFilter, StateVariableFilter)
    /// The position between two bursts, and the level of the present one.
    @usableFromInline var (position, burst) = (1.0, 0.0)
    @usableFromInline var body: Decay
    @usableFromInline let fall: Double

    /// `[any]` Scrapes a guiro once.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, seconds: 0.12, rates: (70, 130), isRattle: false) }

    /// `[any]` Begins a train of bursts, whose rate goes from the first number a second to the last.
    ///
    /// A rattle decays by 8.7 dB in `seconds`; a scrape lasts as long, and swells.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, seconds: Double, rates: (Double, Double), isRattle: Bool) {
        let rate = stroke.sampleRate
        let length = seconds * max(0.3, stroke.decay)
        (velocity, self.isRattle, sampleRate) = (stroke.velocity, isRattle, rate)
        (firstRate, lastRate, self.seconds) = (rates.0, rates.1, length)
        time = StrokeTime(duration: isRattle ? 0.05 + 5 * length : length + 0.03, fade: 0.03, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        box = StateVariableFilter(
            cutoff: (isRattle ? 2500 : 1900) * stroke.pitch * (0.8 + 0.4 * velocity), resonance: isRattle ? 3 : 2, sampleRate: rate)
        air = StateVariableFilter(cutoff: 5200 * min(1.5, stroke.pitch), sampleRate: rate)
        body = Decay(seconds: length, sampleRate: rate)
        fall = Maths.exp(-1 / ((isRattle ? 0.0028 : 0.0018) * rate))
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let part = min(1, now / seconds)
        position += (firstRate + (lastRate - firstRate) * part) / sampleRate
        if position >= 1 {
            position -= 1
            burst = 1
        }
        let hiss = noise.sample() * burst
        burst *= fall
        let sound = 1.1 * box.process(hiss).band + (0.1 + 0.5 * velocity) * air.process(hiss).high
        let level = isRattle ? body.next() : 0.5 + 0.5 * part
        return velocity * sound * level * min(1, now / 0.0005) * end * end * end
    }
}
