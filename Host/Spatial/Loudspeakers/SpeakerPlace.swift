// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes the direction of a loudspeaker. Any thread.

import Glibc

/// The direction of a loudspeaker from a listener who looks to the front, or its role as a low-frequency channel.
public struct SpeakerPlace: Hashable, Sendable {
    /// The azimuth in degrees: 0 in front, 90 at the left.
    public var azimuth: Double
    /// The elevation in degrees: 90 overhead.
    public var elevation: Double
    /// True for a low-frequency channel, which gets no source.
    public var isLowFrequency: Bool

    /// Makes a place.
    public init(azimuth: Double, elevation: Double = 0, isLowFrequency: Bool = false) {
        (self.azimuth, self.elevation, self.isLowFrequency) = (azimuth, elevation, isLowFrequency)
    }

    /// Makes the place of a loudspeaker in a direction of length 1.
    public init(toward direction: SpacePoint) {
        let elevation = asin(max(-1, min(1, direction.y)))
        self.init(azimuth: atan2(-direction.x, -direction.z) * 180 / .pi, elevation: elevation * 180 / .pi)
    }

    /// The direction of length 1.
    public var direction: SpacePoint {
        let (azimuth, elevation) = (azimuth * .pi / 180, elevation * .pi / 180)
        return SpacePoint(-sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation))
    }
}
