// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A hi-hat, closed, half open or open. Any thread.

import Realtime

/// A metal cluster with high noise over it.
@frozen
public struct HiHat: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var metal: MetalCluster
    @usableFromInline var (air, floor): (StateVariableFilter, StateVariableFilter)
    @usableFromInline var (body, stick): (Decay, Decay)

    /// `[any]` Strikes a closed hat.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, seconds: 0.022 + 0.022 * stroke.velocity) }

    /// `[any]` Strikes a hat that decays by 8.7 dB in `seconds`: about 0.03 closed and 0.25 open.
    ///
    /// `choke` is the time after which the pedal closes the hat, in seconds.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, seconds: Double, choke: Double = .infinity) {
        let (rate, decay) = (stroke.sampleRate, seconds * stroke.decay)
        velocity = stroke.velocity
        time = StrokeTime(duration: min(choke + 0.012, decay * 7), fade: 0.012, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        metal = MetalCluster(tuning: 1.62 * stroke.pitch, lower: 5100 * stroke.pitch, upper: 9800 * stroke.pitch, sampleRate: rate)
        air = StateVariableFilter(cutoff: 8200, sampleRate: rate)
        floor = StateVariableFilter(
            cutoff: (6200 + 1400 * (1 - velocity)) * min(1, stroke.pitch), resonance: 0.9, sampleRate: rate)
        body = Decay(seconds: decay, sampleRate: rate)
        stick = Decay(seconds: 0.003, sampleRate: rate)
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        let hiss = air.process(noise.sample()).high
        let sound = floor.process(metal.next() + 0.42 * hiss).high
        return velocity * sound * body.next() * (1 + 1.2 * velocity * stick.next()) * min(1, now / 0.0004) * end
    }
}
