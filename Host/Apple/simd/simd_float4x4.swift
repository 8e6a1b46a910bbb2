// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A matrix of four columns in single precision: the place, the direction and the size of something in space. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// A matrix of four columns of four numbers.
///
/// As a transform it has the directions of the three axes in its first columns, and the place in the last one.
public struct simd_float4x4: Equatable, Sendable {
    /// The columns.
    public var columns: (simd_float4, simd_float4, simd_float4, simd_float4)

    /// Makes a matrix of zeros.
    public init() { columns = (.zero, .zero, .zero, .zero) }

    /// Makes a matrix from its columns.
    public init(columns: (simd_float4, simd_float4, simd_float4, simd_float4)) { self.columns = columns }

    /// Makes a matrix from its columns.
    public init(_ first: simd_float4, _ second: simd_float4, _ third: simd_float4, _ fourth: simd_float4) {
        columns = (first, second, third, fourth)
    }

    /// Makes a matrix from an array of four columns.
    public init(_ columns: [simd_float4]) { self.columns = (columns[0], columns[1], columns[2], columns[3]) }

    /// Makes a matrix from an array of four rows.
    public init(rows: [simd_float4]) { self = simd_float4x4(rows).transpose }

    /// Makes a matrix with four numbers on the diagonal, and zeros elsewhere.
    public init(diagonal: simd_float4) {
        columns = (
            simd_float4(diagonal.x, 0, 0, 0), simd_float4(0, diagonal.y, 0, 0), simd_float4(0, 0, diagonal.z, 0),
            simd_float4(0, 0, 0, diagonal.w)
        )
    }

    /// Makes a matrix with one number all along the diagonal, and zeros elsewhere.
    public init(_ scalar: Float) { self.init(diagonal: simd_float4(repeating: scalar)) }

    /// Makes the matrix that turns a point around the origin as a quaternion of length 1 does.
    public init(_ quaternion: simd_quatf) {
        let turn = simd_float3x3(quaternion).columns
        columns = (simd_float4(turn.0, 0), simd_float4(turn.1, 0), simd_float4(turn.2, 0), simd_float4(0, 0, 0, 1))
    }

    /// A column, from 0 to 3.
    public subscript(column: Int) -> simd_float4 {
        get { [columns.0, columns.1, columns.2, columns.3][column] }
        set {
            var all = [columns.0, columns.1, columns.2, columns.3]
            all[column] = newValue
            self = simd_float4x4(all)
        }
    }

    /// A number, by its column and its row.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// The matrix with rows and columns exchanged.
    public var transpose: simd_float4x4 {
        let (a, b, c, d) = columns
        return simd_float4x4(
            simd_float4(a.x, b.x, c.x, d.x), simd_float4(a.y, b.y, c.y, d.y), simd_float4(a.z, b.z, c.z, d.z),
            simd_float4(a.w, b.w, c.w, d.w))
    }

    /// Whether all numbers are equal.
    public static func == (left: simd_float4x4, right: simd_float4x4) -> Bool { left.columns == right.columns }

    /// The sum, number by number.
    public static func + (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 {
        let (a, b) = (left.columns, right.columns)
        return simd_float4x4(a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3)
    }

    /// The difference, number by number.
    public static func - (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 { left + right * -1 }

    /// All numbers times a number.
    public static func * (left: simd_float4x4, right: Float) -> simd_float4x4 {
        let columns = left.columns
        return simd_float4x4(columns.0 * right, columns.1 * right, columns.2 * right, columns.3 * right)
    }

    /// All numbers times a number.
    public static func * (left: Float, right: simd_float4x4) -> simd_float4x4 { right * left }

    /// The vector behind the matrix.
    public static func * (left: simd_float4x4, right: simd_float4) -> simd_float4 {
        let (a, b, c, d) = left.columns
        return (a * right.x + b * right.y) + (c * right.z + d * right.w)
    }

    /// The product of a row and the matrix.
    public static func * (left: simd_float4, right: simd_float4x4) -> simd_float4 { right.transpose * left }

    /// The matrix that does as the right one does first, and then as the left one.
    public static func * (left: simd_float4x4, right: simd_float4x4) -> simd_float4x4 {
        let columns = right.columns
        return simd_float4x4(left * columns.0, left * columns.1, left * columns.2, left * columns.3)
    }

    /// Multiplies with a matrix on the right.
    public static func *= (left: inout simd_float4x4, right: simd_float4x4) { left = left * right }
}

/// A matrix of four columns of four numbers.
public typealias float4x4 = simd_float4x4
/// A matrix of four columns of four numbers, by an older name.
public typealias matrix_float4x4 = simd_float4x4

/// The matrix that changes nothing.
public let matrix_identity_float4x4 = simd_float4x4(1)
