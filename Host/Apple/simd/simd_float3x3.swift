// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A matrix of three columns in single precision. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// A matrix of three columns of three numbers.
///
/// The product with a vector adds the columns, each times one number of the vector.
public struct simd_float3x3: Equatable, Sendable {
    /// The columns.
    public var columns: (simd_float3, simd_float3, simd_float3)

    /// Makes a matrix of zeros.
    public init() { columns = (.zero, .zero, .zero) }

    /// Makes a matrix from its columns.
    public init(columns: (simd_float3, simd_float3, simd_float3)) { self.columns = columns }

    /// Makes a matrix from its columns.
    public init(_ first: simd_float3, _ second: simd_float3, _ third: simd_float3) { columns = (first, second, third) }

    /// Makes a matrix from an array of three columns.
    public init(_ columns: [simd_float3]) { self.columns = (columns[0], columns[1], columns[2]) }

    /// Makes a matrix from an array of three rows.
    public init(rows: [simd_float3]) { self = simd_float3x3(rows).transpose }

    /// Makes a matrix with three numbers on the diagonal, and zeros elsewhere.
    public init(diagonal: simd_float3) {
        columns = (simd_float3(diagonal.x, 0, 0), simd_float3(0, diagonal.y, 0), simd_float3(0, 0, diagonal.z))
    }

    /// Makes a matrix with one number all along the diagonal, and zeros elsewhere.
    public init(_ scalar: Float) { self.init(diagonal: simd_float3(repeating: scalar)) }

    /// Makes the matrix that turns a vector as a quaternion of length 1 does.
    public init(_ quaternion: simd_quatf) {
        let turned = [simd_float3(1, 0, 0), simd_float3(0, 1, 0), simd_float3(0, 0, 1)].map(quaternion.act)
        self.init(turned)
    }

    /// A column, from 0 to 2.
    public subscript(column: Int) -> simd_float3 {
        get { [columns.0, columns.1, columns.2][column] }
        set {
            var all = [columns.0, columns.1, columns.2]
            all[column] = newValue
            self = simd_float3x3(all)
        }
    }

    /// A number, by its column and its row.
    public subscript(column: Int, row: Int) -> Float {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// The matrix with rows and columns exchanged.
    public var transpose: simd_float3x3 {
        let (a, b, c) = columns
        return simd_float3x3(simd_float3(a.x, b.x, c.x), simd_float3(a.y, b.y, c.y), simd_float3(a.z, b.z, c.z))
    }

    /// The volume of a cube of volume 1 behind the matrix; negative if the matrix mirrors.
    public var determinant: Float { simd_dot(columns.0, simd_cross(columns.1, columns.2)) }

    /// The matrix that takes this one back; its numbers are not finite if the determinant is 0.
    public var inverse: simd_float3x3 {
        let (a, b, c) = columns
        let rows = simd_float3x3(simd_cross(b, c), simd_cross(c, a), simd_cross(a, b)).transpose
        return rows * (1 / determinant)
    }

    /// Whether all numbers are equal.
    public static func == (left: simd_float3x3, right: simd_float3x3) -> Bool { left.columns == right.columns }

    /// The sum, number by number.
    public static func + (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
        let (a, b) = (left.columns, right.columns)
        return simd_float3x3(a.0 + b.0, a.1 + b.1, a.2 + b.2)
    }

    /// The difference, number by number.
    public static func - (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 { left + right * -1 }

    /// All numbers times a number.
    public static func * (left: simd_float3x3, right: Float) -> simd_float3x3 {
        let columns = left.columns
        return simd_float3x3(columns.0 * right, columns.1 * right, columns.2 * right)
    }

    /// All numbers times a number.
    public static func * (left: Float, right: simd_float3x3) -> simd_float3x3 { right * left }

    /// The vector behind the matrix.
    public static func * (left: simd_float3x3, right: simd_float3) -> simd_float3 {
        left.columns.0 * right.x + left.columns.1 * right.y + left.columns.2 * right.z
    }

    /// The product of a row and the matrix.
    public static func * (left: simd_float3, right: simd_float3x3) -> simd_float3 { right.transpose * left }

    /// The matrix that does as the right one does first, and then as the left one.
    public static func * (left: simd_float3x3, right: simd_float3x3) -> simd_float3x3 {
        simd_float3x3(left * right.columns.0, left * right.columns.1, left * right.columns.2)
    }

    /// Multiplies with a matrix on the right.
    public static func *= (left: inout simd_float3x3, right: simd_float3x3) { left = left * right }
}

/// A matrix of three columns of three numbers.
public typealias float3x3 = simd_float3x3
/// A matrix of three columns of three numbers, by an older name.
public typealias matrix_float3x3 = simd_float3x3

/// The matrix that changes nothing.
public let matrix_identity_float3x3 = simd_float3x3(1)
