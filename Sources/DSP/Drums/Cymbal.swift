// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A crash cymbal and a ride cymbal. Any thread.

import Realtime

/// Two clusters of metal and noise, whose high frequencies decay first.
@frozen
public struct Cymbal: Drum, Sendable {
    @usableFromInline let velocity: Double
    @usableFromInline let (noiseLevel, pingLevel): (Double, Double)
    @usableFromInline let pingStep: Double
    @usableFromInline var time: StrokeTime
    @usableFromInline var noise: NoiseSource
    @usableFromInline var (metal, shimmer): (MetalCluster, MetalCluster)
    @usableFromInline var (air, floor): (StateVariableFilter, StateVariableFilter)
    @usableFromInline var (body, splash, ping): (Decay, Decay, Decay)
    @usableFromInline var phase = 0.0

    /// `[any]` Strikes a crash cymbal.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke) { self.init(stroke, isRide: false) }

    /// `[any]` Strikes the edge of a crash cymbal, or the tip of the stick on a ride cymbal.
    @inlinable @_noLocks
    public init(_ stroke: DrumStroke, isRide: Bool) {
        let (rate, pitch) = (stroke.sampleRate, stroke.pitch)
        velocity = stroke.velocity
        let seconds = (isRide ? 0.45 : 0.6) * stroke.decay
        time = StrokeTime(duration: 6.5 * seconds, fade: 0.3 * seconds, sampleRate: rate)
        noise = NoiseSource(seed: stroke.seed)
        metal = MetalCluster(tuning: 1.31 * pitch, lower: 3400 * pitch, upper: 7600 * pitch, sampleRate: rate)
        shimmer = MetalCluster(tuning: 2.17 * pitch, lower: 6300 * pitch, upper: 11_500 * pitch, sampleRate: rate)
        air = StateVariableFilter(cutoff: (isRide ? 7000 : 4200) * min(1, pitch), sampleRate: rate)
        floor = StateVariableFilter(cutoff: (isRide ? 3600 : 2600) * min(1, pitch), sampleRate: rate)
        body = Decay(seconds: seconds, sampleRate: rate)
        splash = Decay(seconds: (0.05 + 0.2 * velocity) * stroke.decay, sampleRate: rate)
        ping = Decay(seconds: 0.05 * stroke.decay, sampleRate: rate)
        (noiseLevel, pingLevel) = isRide ? (0.25, 0.5) : (1.1, 0)
        pingStep = 2 * .pi * min(3150 * pitch, 0.3 * rate) / rate
    }

    /// `[any]` The length of the sound in frames.
    @inlinable
    public var frameCount: Int { @_noLocks get { time.frameCount } }

    /// `[any]` The next sample.
    @inlinable @_noLocks
    public mutating func next() -> Double {
        let (now, end) = time.next()
        phase += pingStep
        let (slow, fast) = (body.next(), splash.next())
        let hiss = air.process(noise.sample()).high * noiseLevel
        let sound = (metal.next() + 0.4 * hiss) * slow + (shimmer.next() + hiss) * fast * (0.3 + 0.9 * velocity)
        let tip = pingLevel * Maths.sin(phase) * ping.next()
        return velocity * (floor.process(0.6 * sound).high + tip) * min(1, now / 0.0006) * end
    }
}
