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
        let squares = HeadTurn(1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z)
        let parts = squares.clamped(lowerBound: HeadTurn(), upperBound: HeadTurn(repeating: 4)).squareRoot() / 2
        var largest = 0
        for index in 1..<4 where parts[index] > parts[largest] { largest = index }
        let scale = 1 / (4 * parts[largest])
        let (sumXY, sumXZ, sumYZ) = (right.y + up.x, right.z + back.x, up.z + back.y)
        let (turnX, turnY, turnZ) = (up.z - back.y, back.x - right.z, right.y - up.x)
        switch largest {
        case 0: return HeadTurn(parts[0], sumXY * scale, sumXZ * scale, turnX * scale)
        case 1: return HeadTurn(sumXY * scale, parts[1], sumYZ * scale, turnY * scale)
        case 2: return HeadTurn(sumXZ * scale, sumYZ * scale, parts[2], turnZ * scale)
        default: return HeadTurn(turnX * scale, turnY * scale, turnZ * scale, parts[3])
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
