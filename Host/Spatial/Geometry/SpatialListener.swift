// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where somebody hears sources from, and how far. Any thread.

/// Somebody who hears sources around.
public struct SpatialListener: Hashable, Sendable {
    /// The place of the middle of the head.
    public var position = SpacePoint(0, 0, 0)
    /// Which way the head looks.
    public var axes = HeadAxes()
    /// How sources lose level with their distance.
    public var distance = DistanceLaw()

    /// The radius of a head in metres: half of the usual distance between the ears.
    static let headRadius = 0.0875

    /// A listener at the origin, who looks to the front.
    public init() {}
}
