// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates the gains of three or four loudspeakers for a direction between them. Made on the control thread, used on the render thread.

import Realtime

/// A region of directions between loudspeakers.
struct PanningRegion {
    /// The channels of the corners; the third of a triangle at a pole has none.
    private let channels: (Int, Int, Int, Int)
    /// The number of corners.
    private let count: Int
    /// For a triangle, the rows of the inverse of its corners; for a quadrangle, the polynomial of its first coordinate.
    private let first: (SpacePoint, SpacePoint, SpacePoint)
    /// For a quadrangle, the polynomial of its second coordinate.
    private let second: (SpacePoint, SpacePoint, SpacePoint)
    private let middle: SpacePoint
    /// The channels that play the pole, as bits.
    private let poleChannels: UInt64
    private let poleGain: Double

    /// The gains of the corners, and the least of them: below 0 the direction is outside.
    struct Gains {
        let corners: (Double, Double, Double, Double)
        let least: Double

        @_noLocks
        init(corners: (Double, Double, Double, Double), least: Double) { (self.corners, self.least) = (corners, least) }
    }

    /// `[control]` Makes a triangle between three loudspeakers; nil if they lie in a plane with the listener.
    init?(triangle corners: [HullSpeaker]) {
        self.init(corners.map(\.direction), channels: corners.map(\.channel) + [0], poleChannels: 0, poleGain: 0)
    }

    /// `[control]` Makes a triangle between two loudspeakers and a pole, which loudspeakers play at equal power.
    init?(triangle corners: [HullSpeaker], pole: SpacePoint, playedBy channels: [Int]) {
        self.init(
            corners.map(\.direction) + [pole], channels: corners.map(\.channel) + [0, 0],
            poleChannels: channels.reduce(0) { $0 | 1 << UInt64($1 & 63) }, poleGain: 1 / Double(channels.count).squareRoot())
    }

    private init?(_ corners: [SpacePoint], channels: [Int], poleChannels: UInt64, poleGain: Double) {
        let (a, b, c) = (corners[0], corners[1], corners[2])
        let volume = a.dot(b.cross(c))
        guard abs(volume) > 1e-9 else { return nil }
        first = (b.cross(c) / volume, c.cross(a) / volume, a.cross(b) / volume)
        second = (SpacePoint(), SpacePoint(), SpacePoint())
        self.channels = (channels[0], channels[1], channels[2], channels[3])
        (count, middle, self.poleChannels, self.poleGain) = (3, a + b + c, poleChannels, poleGain)
    }

    /// `[control]` Makes a quadrangle; the corners are in order around it.
    init(quadrangle corners: [HullSpeaker]) {
        let points = corners.map(\.direction)
        first = Self.polynomial(points[0], points[1], points[2], points[3])
        second = Self.polynomial(points[0], points[3], points[2], points[1])
        middle = points.reduce(SpacePoint(), +)
        channels = (corners[0].channel, corners[1].channel, corners[2].channel, corners[3].channel)
        (count, poleChannels, poleGain) = (4, 0, 0)
    }

    /// The polynomial in x whose root puts a direction into the plane through (1 − x)·a + x·b and (1 − x)·d + x·c.
    private static func polynomial(
        _ a: SpacePoint, _ b: SpacePoint, _ c: SpacePoint, _ d: SpacePoint
    ) -> (SpacePoint, SpacePoint, SpacePoint) {
        (a.cross(d), a.cross(c - d) + (b - a).cross(d), (b - a).cross(c - d))
    }

    /// `[render]` The gains of the corners for a direction.
    @_noLocks
    func gains(_ direction: SpacePoint) -> Gains {
        guard count == 4 else {
            let (x, y, z) = (first.0.dot(direction), first.1.dot(direction), first.2.dot(direction))
            return Gains(corners: (x, y, z, 0), least: min(x, min(y, z)))
        }
        guard direction.dot(middle) > 0, let x = Self.root(first, direction), let y = Self.root(second, direction) else {
            return Gains(corners: (0, 0, 0, 0), least: -1)
        }
        return Gains(corners: ((1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y), least: 0)
    }

    /// The root from 0 to 1.
    @_noLocks
    private static func root(_ polynomial: (SpacePoint, SpacePoint, SpacePoint), _ direction: SpacePoint) -> Double? {
        let (c, b, a) = (polynomial.0.dot(direction), polynomial.1.dot(direction), polynomial.2.dot(direction))
        if abs(a) < 1e-10 { return abs(b) < 1e-12 ? nil : inside(-c / b) }
        let square = b * b - 4 * a * c
        guard square >= 0 else { return nil }
        // This form of the two roots does not subtract equal numbers.
        let sum = -(b + (b < 0 ? -1 : 1) * Maths.sqrt(square)) / 2
        return inside(sum / a) ?? (sum == 0 ? nil : inside(c / sum))
    }

    @_noLocks
    private static func inside(_ x: Double) -> Double? { x > -1e-10 && x < 1 + 1e-10 ? max(0, min(1, x)) : nil }

    /// `[render]` Adds gains to those of the channels; a gain below 0 counts as 0.
    @_noLocks
    func add(_ gains: Gains, to output: UnsafeMutablePointer<Double>) {
        output[channels.0] += max(0, gains.corners.0)
        output[channels.1] += max(0, gains.corners.1)
        if count == 4 {
            output[channels.2] += max(0, gains.corners.2)
            output[channels.3] += max(0, gains.corners.3)
        } else if poleChannels == 0 {
            output[channels.2] += max(0, gains.corners.2)
        } else {
            for channel in 0..<64 where poleChannels & 1 << UInt64(channel) != 0 {
                output[channel] += max(0, gains.corners.2) * poleGain
            }
        }
    }
}
