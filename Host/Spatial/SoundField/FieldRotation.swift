// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Turns a sound field about its listener. Any thread.

import Realtime

/// The rotation of a sound field of order 3: a matrix for each degree.
///
/// The same matrices hold for SN3D and N3D. Source: J. Ivanic and K. Ruedenberg, "Rotation matrices for real spherical harmonics"
/// (J. Phys. Chem. 100, 1996), with the correction of 1998.
public struct FieldRotation {
    /// The matrices of the degrees 0 to 3, row by row, each behind the other.
    private var entries = InlineArray<84, Double>(repeating: 0)

    @_noLocks
    private static func start(_ degree: Int) -> Int { degree < 1 ? 0 : degree < 2 ? 1 : degree < 3 ? 10 : 35 }

    /// The rotation of a field around a head with these axes: sources that stand still in space turn against the head.
    @_noLocks
    public init(listener axes: HeadAxes) {
        entries[0] = 1
        // Rows and columns of degree 1 are y, z and x of ambisonics: left, up and front.
        let axesInOrder = (-axes.right, axes.up, axes.forward)
        for column in 0..<3 {
            // In the world, left is −x, up is y, and front is −z.
            setFirst(0, column, Self.coordinate(axesInOrder.0, column))
            setFirst(1, column, Self.coordinate(axesInOrder.1, column))
            setFirst(2, column, Self.coordinate(axesInOrder.2, column))
        }
        for degree in 2...3 { build(degree) }
    }

    /// The weight of the channel `column` in the rotated channel `row`; 0 between two degrees.
    @_noLocks
    public func entry(_ row: Int, _ column: Int) -> Double {
        let degree = SphericalHarmonics.degree(ofChannel: row)
        guard degree == SphericalHarmonics.degree(ofChannel: column) else { return 0 }
        let middle = degree &* degree &+ degree
        return at(degree, row &- middle, column &- middle)
    }

    @_noLocks
    private static func coordinate(_ axis: SpacePoint, _ column: Int) -> Double {
        column == 0 ? -axis.x : column == 1 ? axis.y : -axis.z
    }

    @_noLocks
    private mutating func setFirst(_ row: Int, _ column: Int, _ value: Double) { entries[1 &+ row &* 3 &+ column] = value }

    /// The entry of a degree for indices from −degree to degree.
    @_noLocks
    private func at(_ degree: Int, _ row: Int, _ column: Int) -> Double {
        let width = 2 &* degree &+ 1
        return entries[Self.start(degree) &+ (row &+ degree) &* width &+ column &+ degree]
    }

    @_noLocks
    private mutating func build(_ degree: Int) {
        let width = 2 &* degree &+ 1
        for row in -degree...degree {
            for column in -degree...degree {
                let place = Self.start(degree) &+ (row &+ degree) &* width &+ column &+ degree
                entries[place] = sum(degree, row, column)
            }
        }
    }

    /// An entry from those of the degree below.
    @_noLocks
    private func sum(_ degree: Int, _ row: Int, _ column: Int) -> Double {
        let (size, m) = (abs(row), Double(abs(row)))
        let l = Double(degree)
        let edge = abs(column) == degree
        let below = edge ? 2 * l * (2 * l - 1) : Double(degree &+ column) * Double(degree &- column)
        let isMiddle = row == 0
        let u = Maths.sqrt(Double(degree &+ row) * Double(degree &- row) / below)
        let v = Maths.sqrt((isMiddle ? 2 : 1) * (l + m - 1) * (l + m) / below) * (isMiddle ? -0.5 : 0.5)
        let w = isMiddle ? 0 : -0.5 * Maths.sqrt((l - m - 1) * (l - m) / below)
        var sum = 0.0
        if u != 0 { sum += u * product(0, degree, row, column) }
        if v != 0 { sum += v * second(degree, row, column) }
        if w != 0, size < degree &- 1 { sum += w * third(degree, row, column) }
        return sum
    }

    @_noLocks
    private func second(_ degree: Int, _ row: Int, _ column: Int) -> Double {
        let root = Maths.sqrt(2.0)
        if row == 0 { return product(1, degree, 1, column) + product(-1, degree, -1, column) }
        if row > 0 {
            let first = product(1, degree, row &- 1, column) * (row == 1 ? root : 1)
            return row == 1 ? first : first - product(-1, degree, 1 &- row, column)
        }
        let last = product(-1, degree, -row &- 1, column) * (row == -1 ? root : 1)
        return row == -1 ? last : product(1, degree, row &+ 1, column) + last
    }

    @_noLocks
    private func third(_ degree: Int, _ row: Int, _ column: Int) -> Double {
        row > 0
            ? product(1, degree, row &+ 1, column) + product(-1, degree, -row &- 1, column)
            : product(1, degree, row &- 1, column) - product(-1, degree, 1 &- row, column)
    }

    /// The product of a row of degree 1 with entries of the degree below.
    @_noLocks
    private func product(_ index: Int, _ degree: Int, _ row: Int, _ column: Int) -> Double {
        let below = degree &- 1
        guard abs(row) <= below else { return 0 }
        if column == degree {
            return at(1, index, 1) * at(below, row, below) - at(1, index, -1) * at(below, row, -below)
        }
        if column == -degree {
            return at(1, index, 1) * at(below, row, -below) + at(1, index, -1) * at(below, row, below)
        }
        return at(1, index, 0) * at(below, row, column)
    }
}
