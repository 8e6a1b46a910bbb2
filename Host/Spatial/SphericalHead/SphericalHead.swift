// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates what a rigid sphere does to a source at a point of its surface. Any thread.

import Realtime

/// A head without ears and hair: a rigid sphere.
///
/// The delay is the way of the sound around the sphere. The lowest frequencies have the exact gain of a steady pressure, so a near source is
/// louder at its ear. The highest frequencies have a fitted gain: between 0.5 and 11 kHz the level of a distant source deviates from the
/// exact series by 1.6 dB RMS over all directions. Source: R. Duda and W. Martens, "Range dependence of the response of a spherical head
/// model" (JASA 104, 1998).
public struct SphericalHead: Hashable, Sendable {
    /// The radius in metres.
    public let radius: Double
    /// The speed of sound in metres a second.
    public let speedOfSound: Double

    /// The gain of both ears' signals: a source in front has the power of the source at low frequencies, as with other panners.
    static var earGain: Double { @_noLocks get { 0.707_106_781_186_547_6 } }

    /// The nearest source, in radii: nearer ones have the sound of this distance, for the level of a point at an ear has no bound.
    private static var nearest: Double { @_noLocks get { 1.5 } }

    /// `[any]` Makes a head; without arguments its radius is 8.75 cm.
    @_noLocks
    public init(radius: Double = 0.0875, speedOfSound: Double = 343.2) {
        (self.radius, self.speedOfSound) = (radius, speedOfSound)
    }

    /// The sound of a source at one ear, compared with its sound at the middle of the head without a head.
    public struct Ear: Hashable, Sendable {
        /// The delay in seconds; below 0 at the ear that faces the source.
        public var delay: Double
        /// The gain of the lowest frequencies.
        public var lowGain: Double
        /// The gain of the highest frequencies.
        public var highGain: Double
    }

    /// The longest delay of an ear, and the earliest arrival, in seconds.
    public var delays: (earliest: Double, latest: Double) {
        @_noLocks get { (-radius / speedOfSound, Double.pi / 2 * radius / speedOfSound) }
    }

    /// The angular frequency of the shadow's pole.
    var corner: Double {
        @_noLocks get { 2 * speedOfSound / radius }
    }

    /// The sound at an ear.
    ///
    /// `cosine` is that of the angle between the directions of ear and source; `distance` is measured from the middle of the head.
    @_noLocks
    public func ear(cosine: Double, distance: Double) -> Ear {
        let cosine = max(-1, min(1, cosine))
        let range = max(Self.nearest, distance / radius)
        let direct = Maths.sqrt(max(0, 1 + range * range - 2 * range * cosine))
        var (way, incidence) = (direct, (range * cosine - 1) / direct)
        if cosine * range < 1 {
            // Behind the horizon the sound creeps along the surface.
            let creep = max(0, Self.arc(cosine) - Self.arc(1 / range))
            (way, incidence) = (Maths.sqrt(range * range - 1) + creep, creep < Double.pi / 2 ? -Maths.sin(creep) : -1)
        }
        return Ear(
            delay: (way - range) * radius / speedOfSound, lowGain: Self.lowGain(cosine, range),
            highGain: Self.shadow(incidence) * range / way)
    }

    /// The gain of high frequencies for a distant source, by the cosine of its angle from the ear.
    @_noLocks
    private static func shadow(_ x: Double) -> Double {
        1.236 + (1.073 + (0.8828 + (-0.0585 + (-2.9628 + (-0.1911 + 2.1334 * x) * x) * x) * x) * x) * x
    }

    /// The gain of a steady pressure: the sum over all orders m of (2m + 1)/(m + 1) · range⁻ᵐ · Pₘ(cosine).
    @_noLocks
    private static func lowGain(_ cosine: Double, _ range: Double) -> Double {
        let share = 1 / range
        let root = Maths.sqrt(1 - 2 * cosine * share + share * share)
        let ratio = 1 - cosine > 1e-9 ? (share - cosine + root) / (1 - cosine) : 1 / (1 - share)
        return 2 / root - range * Maths.log(ratio)
    }

    /// The angle of a cosine.
    ///
    /// Source of the polynomial: M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 4.4.46; its error is below 2e-8.
    @_noLocks
    static func arc(_ cosine: Double) -> Double {
        let x = min(1, abs(cosine))
        let high = 0.030_891_881_0 + (-0.017_088_125_6 + (0.006_670_090_1 - 0.001_262_491_1 * x) * x) * x
        let sum = 1.570_796_305_0 + (-0.214_598_801_6 + (0.088_978_987_4 + (-0.050_174_304_6 + high * x) * x) * x) * x
        let angle = Maths.sqrt(1 - x) * sum
        return cosine < 0 ? Double.pi - angle : angle
    }
}
