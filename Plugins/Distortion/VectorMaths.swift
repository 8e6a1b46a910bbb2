// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Elementary functions for sixteen numbers at once, by polynomials. Render thread.

/// Near-minimax polynomials, fitted by iteratively reweighted least squares; each states its largest error.
///
/// Two of them are computed in pairs of terms, after G. Estrin: a processor need not wait for one term before the next.
enum VectorMaths {
    /// The magnitude of each number.
    @inline(__always) @_noLocks static func magnitude(_ x: Vector) -> Vector {
        unsafeBitCast(unsafeBitCast(x, to: SIMD16<UInt32>.self) & 0x7FFF_FFFF, to: Vector.self)
    }

    /// `size` with the signs of `sign`.
    @inline(__always) @_noLocks static func copySign(_ size: Vector, _ sign: Vector) -> Vector {
        let bits = unsafeBitCast(sign, to: SIMD16<UInt32>.self) & 0x8000_0000
        return unsafeBitCast(unsafeBitCast(size, to: SIMD16<UInt32>.self) | bits, to: Vector.self)
    }

    /// Numbers clamped to ±1.
    @inline(__always) @_noLocks static func clip(_ x: Vector) -> Vector {
        let high = x.replacing(with: 1, where: x .> 1)
        return high.replacing(with: -1, where: high .< -1)
    }

    /// 2 to the power of x, for −126 ≤ x ≤ 126; relative error 8e-8.
    @inline(__always) @_noLocks static func exp2(_ x: Vector) -> Vector {
        // Adding 1.5 · 2^23 leaves the nearest whole number in the lowest bits.
        let shifted = x + 12_582_912
        let f = x - (shifted - 12_582_912)
        let square = f * f
        var y = (f * 0.001_341_000_4 + 0.009_676_036) * square + (f * 0.055_502_973 + 0.240_221_07)
        y = y * square + (f * 0.693_147_24 + 1.000_000_1)
        let exponent = unsafeBitCast(shifted, to: SIMD16<UInt32>.self) &<< 23
        return unsafeBitCast(unsafeBitCast(y, to: SIMD16<UInt32>.self) &+ exponent, to: Vector.self)
    }

    /// The natural logarithm of 1 + x, for 0 ≤ x ≤ 1; error 4e-8.
    @inline(__always) @_noLocks static func log1p(_ x: Vector) -> Vector {
        let square = x * x
        let high = (x * -0.006_452_611 + 0.036_084_514) * square + (x * -0.095_322_48 + 0.167_647_84)
        let low = (x * -0.240_730_75 + 0.331_798_26) * square + (x * -0.499_874_06 + 0.999_996_4)
        return (high * (square * square) + low) * x
    }

    /// The sine of `turns` whole turns, |turns| below 2^21; error 2e-7.
    @inline(__always) @_noLocks static func sine(turns: Vector) -> Vector {
        let f = turns - ((turns + 12_582_912) - 12_582_912)
        let square = f * f
        var y = square * -12.271_262 + 41.205_395
        y = y * square - 76.580_1
        y = y * square + 81.596_184
        y = y * square - 41.341_423
        y = y * square + 6.283_182_6
        return y * f
    }
}
