// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Agogo bells, a triangle, and the bell of a ride cymbal. Any thread.

import Realtime

/// Four partials of struck metal, the upper ones shorter, and the click of the stick.
@frozen
public struct MetalBar: Drum, Sendable {
    /// The shape of the metal, which places its partials.
    @frozen public enum Shape: Sendable { case bell, triangle, dome }

    @usableFromInline let velocity: Double
    @usableFromInline let steps: SIMD4<Double>
    @usableFromInline let levels: SIMD4<Double>
    @usableFromInline let isMuted: Bool
    @usableFromInline var phases = SIMD4<Double>()
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var click: StateVariableFilter
    @usableFromInline var (slow, fast, tick): (Decay, Decay, Decay)

    /// `[any]` Strikes a bell.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, .bell, frequency: 900, seconds: 0.1) }

    /// `[any]` Strikes metal whose lowest partial has a frequency in hertz, and decays by 8.7 dB in `seconds`.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, _ shape: Shape, frequency: Double, seconds: Double) {
        let (rate, decay) = (stroke.sampleRate, seconds * stroke.decay)
        velocity = stroke.velocity
        let bright = 0.25 + 0.75 * velocity
        let ratios: SIMD4<Double>
        switch shape {
        case .bell: (ratios, levels) = (SIMD4(1, 1.51, 2.67, 4.21), SIMD4(1, 0.7, 0.5 * bright, 0.35 * bright))
        case .triangle: (ratios, levels) = (SIMD4(1, 2.22, 3.61, 5.1), SIMD4(0.5, 0.6, 0.7 * bright, 0.55 * bright))
        case .dome: (ratios, levels) = (SIMD4(1, 1.83, 2.41, 3.57), SIMD4(1, 0.5, 0.6 * bright, 0.5 * bright))
        }
        var steps = SIMD4<Double>()
        for index in 0..<4 {
            // A partial above half the sample rate is left out by its level of 0 at a step of 0.
            let partial = frequency * stroke.pitch * ratios[index]
            steps[index] = partial < 0.45 * rate ? 2 * .pi * partial / rate : 0
        }
        self.steps = steps
        isMuted = decay < 0.06
        time = StrokeTime(duration: 0.02 + 6.5 * decay, fade: min(0.1, 0.02 + 0.3 * decay), sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        click = StateVariableFilter(cutoff: 4000 + 4000 * velocity, resonance: 1, sampleRate: rate)
        slow = Decay(seconds: decay, sampleRate: rate)
        fast = Decay(seconds: 0.5 * decay, sampleRate: rate)
        tick = Decay(seconds: 0.002, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        phases += steps
        let (low, high) = (slow.next(), fast.next())
        let deep = levels[0] * Maths.sin(phases[0]) + levels[1] * Maths.sin(phases[1])
        let bright = levels[2] * Maths.sin(phases[2]) + levels[3] * Maths.sin(phases[3])
        let knock = click.process(noise.sample() * tick.next()).band * (0.2 + 0.8 * velocity)
        // A hand on the metal takes the upper partials first.
        let metal = deep * low + bright * (isMuted ? high : 0.4 * low + 0.6 * high)
        return velocity * (0.45 * metal * min(1, now / 0.0004) + knock) * end
    }
}
