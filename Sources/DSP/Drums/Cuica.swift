// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A cuica: a drum whose skin is rubbed by a stick inside. Any thread.

import Realtime

/// A rubbed skin, whose pitch the hand moves: a rich tone that rises, through the resonance of the drum.
@frozen
public struct Cuica: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let (firstStep, lastStep, seconds, drive): (Double, Double, Double, Double)
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var (drum, rub): (StateVariableFilter, StateVariableFilter)
    @usableFromInline var phase = 0.0

    /// `[any]` Rubs a muted skin.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, from: 620, to: 760, seconds: 0.14) }

    /// `[any]` Rubs for `seconds`, while the pitch goes from one frequency in hertz to another and half way back.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, from first: Double, to last: Double, seconds: Double) {
        let rate = stroke.sampleRate
        (velocity, self.seconds) = (stroke.velocity, seconds * max(0.3, stroke.decay))
        let turn = 2 * .pi * stroke.pitch / rate
        (firstStep, lastStep, drive) = (first * turn, last * turn, 0.4 + 3.6 * stroke.velocity)
        time = StrokeTime(duration: self.seconds + 0.04, fade: 0.05, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        drum = StateVariableFilter(cutoff: (1100 + 700 * velocity) * stroke.pitch, resonance: 0.9, sampleRate: rate)
        rub = StateVariableFilter(cutoff: 3400, resonance: 1, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let part = min(1, now / seconds)
        // Up to the last frequency in two thirds of the time, then half way back.
        let bend = part < 0.667 ? part * 1.5 : 1 - 1.5 * (part - 0.667)
        phase += firstStep + (lastStep - firstStep) * bend
        let skin = Maths.tanh(drive * (Maths.sin(phase) + 0.5 * Maths.sin(2 * phase)))
        let stick = rub.process(noise.sample()).band * 0.12 * velocity
        let (low, band, _) = drum.process(skin + stick)
        return velocity * (0.35 * low + 0.55 * band) * min(1, now / 0.006) * end * end
    }
}
