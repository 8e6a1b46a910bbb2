// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The place, the orientation and the scale of an object beside its parent. Any thread.

import Spatial

/// A place, an orientation and a scale that is the same in all directions.
///
/// Axes are right-handed: x to the right, y upwards, z to the back; an object looks along −z.
public struct SceneTransform: Hashable, Sendable {
    /// The place, in units of the scene.
    public var position: SIMD3<Double>
    /// The orientation.
    public var orientation: HeadAxes
    /// The factor of lengths within the object, above 0.
    public var scale: Double

    /// Makes a transform; without arguments it changes nothing.
    public init(position: SIMD3<Double> = SIMD3(0, 0, 0), orientation: HeadAxes = HeadAxes(), scale: Double = 1) {
        (self.position, self.orientation, self.scale) = (position, orientation, scale)
    }

    /// Returns the transform of a child, which is given in the space of this one, in the space that this one is given in.
    public func placing(_ child: SceneTransform) -> SceneTransform {
        SceneTransform(
            position: position + turned(child.position * scale), orientation: turned(child.orientation), scale: scale * child.scale)
    }

    /// Returns a transform of the space that this one is given in, in the space of this one.
    public func locating(_ other: SceneTransform) -> SceneTransform {
        let back = SceneTransform(orientation: inverseOrientation)
        return SceneTransform(
            position: back.turned(other.position - position) / scale, orientation: back.turned(other.orientation),
            scale: other.scale / scale)
    }

    /// True if the place is within ten thousand kilometres in units, and the scale from a millionth to a million.
    var isPossible: Bool {
        position.isFinite && abs(position.x) <= 1e10 && abs(position.y) <= 1e10 && abs(position.z) <= 1e10
            && (1e-6...1e6).contains(scale)
    }

    private func turned(_ way: SIMD3<Double>) -> SIMD3<Double> {
        orientation.right * way.x + orientation.up * way.y - orientation.forward * way.z
    }

    private func turned(_ axes: HeadAxes) -> HeadAxes {
        // Two directions at right angles stay so.
        HeadAxes(forward: turned(axes.forward), up: turned(axes.up)) ?? axes
    }

    /// The transposed rotation.
    private var inverseOrientation: HeadAxes {
        let (right, up, back) = (orientation.right, orientation.up, -orientation.forward)
        let axes = HeadAxes(forward: -SIMD3(right.z, up.z, back.z), up: SIMD3(right.y, up.y, back.y))
        return axes ?? orientation
    }
}
