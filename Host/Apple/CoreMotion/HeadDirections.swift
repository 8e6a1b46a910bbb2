// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The directions of a head by the axes of headphones, and what follows from them. Any thread.

import Glibc
import Spatial

/// The directions of a head: x to the right, y to the front, z upwards.
struct HeadDirections: Sendable {
    /// The directions of the right ear, of the nose and of the top, of length 1 and at right angles.
    let right, front, top: SIMD3<Double>

    /// Takes a head by the axes of an environment: x to the right, y upwards, z to the back.
    init(_ axes: HeadAxes) {
        func converted(_ point: SpacePoint) -> SIMD3<Double> { SIMD3(point.x, -point.z, point.y) }
        (right, front, top) = (converted(axes.right), converted(axes.forward), converted(axes.up))
    }

    private init(right: SIMD3<Double>, front: SIMD3<Double>, top: SIMD3<Double>) {
        (self.right, self.front, self.top) = (right, front, top)
    }

    /// The head turned first to the left, then upwards, then to the right side.
    var yaw: Double { atan2(-front.x, front.y) }
    var pitch: Double { asin(max(-1, min(1, front.z))) }
    var roll: Double { atan2(-right.z, top.z) }

    /// The directions as another head sees them.
    func relative(to other: HeadDirections) -> HeadDirections {
        func seen(_ direction: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3((direction * other.right).sum(), (direction * other.front).sum(), (direction * other.top).sum())
        }
        return HeadDirections(right: seen(right), front: seen(front), top: seen(top))
    }

    var matrix: CMRotationMatrix {
        CMRotationMatrix(
            m11: right.x, m12: right.y, m13: right.z, m21: front.x, m22: front.y, m23: front.z, m31: top.x, m32: top.y,
            m33: top.z)
    }

    var quaternion: CMQuaternion {
        // Four times the square of each part; the largest part is the most exact one.
        let squares = SIMD4(
            1 + right.x - front.y - top.z, 1 - right.x + front.y - top.z, 1 - right.x - front.y + top.z,
            1 + right.x + front.y + top.z)
        let sums = SIMD3(front.z + top.y, top.x + right.z, right.y + front.x)
        let differences = SIMD3(front.z - top.y, top.x - right.z, right.y - front.x)
        let parts =
            switch squares.max() {
            case squares.w: SIMD4(differences, squares.w)
            case squares.x: SIMD4(squares.x, sums.z, sums.y, differences.x)
            case squares.y: SIMD4(sums.z, squares.y, sums.x, differences.y)
            default: SIMD4(sums.y, sums.x, squares.z, differences.z)
            }
        let unit = parts / (parts * parts).sum().squareRoot()
        return CMQuaternion(x: unit.x, y: unit.y, z: unit.z, w: unit.w)
    }
}
