// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a listener: position, orientation, and how sources fall off with distance. Any thread.

/// A listener among sources.
public struct SpatialListener: Hashable, Sendable {
    /// The place of the middle of the head.
    public var position = SpacePoint(0, 0, 0)
    /// The orientation of the head.
    public var axes = HeadAxes()
    /// The law by which sources lose level with their distance.
    public var distance = DistanceLaw()

    /// The radius of a head in metres: half of the usual distance between the ears.
    static var headRadius: Double { @_noLocks get { 0.0875 } }

    /// A listener at the origin, who looks to the front.
    public init() {}
}
