// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts orientations of a head to quaternions and back. Any thread.

import Glibc
import Realtime

/// A quaternion that turns a head from the front: x, y and z of its axis, then the real part.
typealias HeadTurn = SIMD4<Double>

extension HeadAxes {
    /// The quaternion of length 1 that turns a head to these axes; its negative does, too.
    var turn: HeadTurn {
        let back = -forward
        let (x, y, z) = (right.x, up.y, back.z)
        // The largest part is the most exact one.
        let squares = (1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z)
        var (largest, square) = (0, squares.0)
        if squares.1 > square { (largest, square) = (1, squares.1) }
        if squares.2 > square { (largest, square) = (2, squares.2) }
        if squares.3 > square { (largest, square) = (3, squares.3) }
        let part = sqrt(max(0, square)) / 2
        let scale = 1 / (4 * part)
        let (sumXY, sumXZ, sumYZ) = (right.y + up.x, right.z + back.x, up.z + back.y)
        let (turnX, turnY, turnZ) = (up.z - back.y, back.x - right.z, right.y - up.x)
        switch largest {
        case 0: return HeadTurn(part, sumXY * scale, sumXZ * scale, turnX * scale)
        case 1: return HeadTurn(sumXY * scale, part, sumYZ * scale, turnY * scale)
        case 2: return HeadTurn(sumXZ * scale, sumYZ * scale, part, turnZ * scale)
        default: return HeadTurn(turnX * scale, turnY * scale, turnZ * scale, part)
        }
    }

    /// The axes of a head that a quaternion has turned, whatever its length; those of `other` for one without a length.
    @_noLocks
    init(_ turn: HeadTurn, else other: HeadTurn) {
        let square = (turn * turn).sum()
        let unit = square > 1e-12 ? turn * (1 / Maths.sqrt(square)) : other
        let (x, y, z, w) = (unit.x, unit.y, unit.z, unit.w)
        self.init(
            right: SpacePoint(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
            up: SpacePoint(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
            back: SpacePoint(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
    }
}
