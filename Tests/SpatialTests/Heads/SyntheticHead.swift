// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A head by formulas: its responses are known in every direction, so that interpolated ones can be judged. Test thread.

import Glibc

@testable import Spatial

/// A head whose ears hear a sound later and duller on the far side.
struct SyntheticHead {
    var sampleRate = 48_000.0
    var tapCount = 256
    /// The elevations in degrees of the measured rings, and the degrees between two azimuths at the equator.
    var elevations = Array(stride(from: -40.0, through: 90, by: 10))
    var azimuthStep = 5.0
    var radii = [1.4]
    /// Samples before the sound arrives.
    var leadFrameCount = 40.0

    /// The unit vector of an azimuth to the left and an elevation in degrees.
    static func direction(_ azimuth: Double, _ elevation: Double) -> SpacePoint {
        let (a, e) = (azimuth * .pi / 180, elevation * .pi / 180)
        return SpacePoint(-sin(a) * cos(e), sin(e), -cos(a) * cos(e))
    }

    /// All measured directions.
    var directions: [SpacePoint] {
        elevations.flatMap { elevation -> [SpacePoint] in
            let count = max(1, Int((360 / azimuthStep * cos(elevation * .pi / 180)).rounded()))
            return (0..<count).map { Self.direction(360 * Double($0) / Double(count), elevation) }
        }
    }

    /// The delay at an ear in seconds, by Woodworth's sphere of 8.75 cm: 0 at the nearest direction.
    static func delay(_ direction: SpacePoint, ear: Int) -> Double {
        let side = max(-1, min(1, ear == 0 ? -direction.x : direction.x))
        let angle = acos(side)
        return 0.0875 / 343 * (angle <= .pi / 2 ? 1 - cos(angle) : 1 + angle - .pi / 2)
    }

    /// The response of an ear: a band-limited impulse at its time, with a resonance that depends on the direction.
    func response(_ direction: SpacePoint, ear: Int) -> [Float] {
        let side = ear == 0 ? -direction.x : direction.x
        let time = leadFrameCount + Self.delay(direction, ear: ear) * sampleRate
        let frequency = 2500 + 1500 * direction.y + 600 * side
        let strength = 0.3 + 0.15 * direction.z
        let level = 0.55 + 0.4 * side
        // Two samples at a cosine's slope: the wider, the duller.
        let width = sampleRate / 48_000 * (2.2 - 0.8 * side)
        return (0..<tapCount).map { frame in
            let x = (Double(frame) - time) / width
            let pulse = abs(x) < 4 ? (x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * (0.5 + 0.5 * cos(.pi * x / 4)) : 0
            let late = Double(frame) - time - 2 * width
            let ring =
                late > 0 ? strength * exp(-late / (sampleRate * 0.000_4)) * sin(2 * .pi * frequency * late / sampleRate) : 0
            return Float(level * (pulse + ring) / width)
        }
    }

    func measurements(_ change: (inout [Float]) -> Void = { _ in }, delays: [Float] = [0, 0]) throws -> HeadMeasurements {
        let directions = directions
        var responses = radii.flatMap { _ in directions.flatMap { response($0, ear: 0) + response($0, ear: 1) } }
        change(&responses)
        return try HeadMeasurements(
            name: "synthetic", sampleRate: sampleRate, positions: radii.flatMap { radius in directions.map { $0 * radius } },
            tapCount: tapCount, responses: responses, delays: delays)
    }
}

/// The level of a residue beside a signal, in decibels.
func decibels(_ residue: [Float], beside signal: [Float]) -> Double {
    func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
    return 10 * log10(max(power(residue), 1e-30) / max(power(signal), 1e-30))
}

/// A response delayed by whole frames, or its beginning left out.
func shifted(_ samples: [Float], by frames: Int, count: Int) -> [Float] {
    (0..<count).map { samples.indices.contains($0 - frames) ? samples[$0 - frames] : 0 }
}

extension Array where Element == Float {
    static func - (left: [Float], right: [Float]) -> [Float] { zip(left, right).map { $0 - $1 } }
}
