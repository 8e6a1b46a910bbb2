// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level of a source, or of a listener, by the angle to its front, for bands of frequencies. Any thread.

/// The level by the angle between the front and the other side of the way, for one band or for several.
///
/// One band holds at all frequencies. Between two bands the level passes from one to the other: in the middle on a scale of octaves both
/// have the same share, and two octaves from there the nearer one has 94 % (16 to 1).
public struct SpatialDirectivity: Hashable, Sendable {
    /// The level over the angle.
    public enum Shape: Hashable, Sendable {
        /// |(1 − pattern) + pattern · cos θ| to the power of `sharpness`.
        ///
        /// The pattern is 0 for all directions alike, 0.5 for a cardioid and 1 for a figure of eight; the sharpness is 1 or more.
        case cardioid(pattern: Double, sharpness: Double = 1)
        /// Full within the inner angle, `outerGain` beyond the outer one; between them it follows the cosine.
        ///
        /// The angles are the whole ones of the cones in degrees, from 0 to 360.
        case cone(innerDegrees: Double, outerDegrees: Double, outerGain: Double)
    }

    /// A shape and the frequency at which it holds.
    public struct Band: Hashable, Sendable {
        /// The frequency in hertz.
        public let hertz: Double
        /// The shape.
        public let shape: Shape

        /// Makes a band.
        public init(hertz: Double = 1000, _ shape: Shape) { (self.hertz, self.shape) = (hertz, shape) }
    }

    /// The most bands.
    public static let mostBands = 8

    /// The bands, sorted by their frequencies.
    public let bands: [Band]

    /// Sorts the bands.
    ///
    /// Values beyond their ranges are clamped. Nil without bands, for more than 8, for two of one frequency, for a frequency outside of
    /// 20...20,000 Hz, or if a number is not finite.
    public init?(_ bands: [Band]) {
        let sorted = bands.sorted { $0.hertz < $1.hertz }
        guard !sorted.isEmpty, sorted.count <= Self.mostBands,
            sorted.allSatisfy({ (20...20_000).contains($0.hertz) && $0.shape.isFinite }),
            zip(sorted, sorted.dropFirst()).allSatisfy({ $0.hertz < $1.hertz })
        else { return nil }
        self.bands = sorted
    }

    /// The level of a band in a direction, from the cosine of the angle to the front.
    public func gain(ofBand band: Int, cosine: Double) -> Double {
        bands.indices.contains(band) ? DirectivityTable.ShapeCore(bands[band].shape).gain(cosine) : 0
    }
}

extension SpatialDirectivity.Shape {
    fileprivate var isFinite: Bool {
        switch self {
        case .cardioid(let pattern, let sharpness): pattern.isFinite && sharpness.isFinite
        case .cone(let inner, let outer, let gain): inner.isFinite && outer.isFinite && gain.isFinite
        }
    }
}
