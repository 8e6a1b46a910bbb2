// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Mathematics for the render path; this file vouches for libm. Any thread.

import CRealtimeShims

/// Functions of libm, and conversions of units, that may be called while rendering.
///
/// `[any]` None of them allocates, locks or enters the kernel.
public enum Maths {
    /// The sine of an angle in radians.
    @inlinable @_noLocks public static func sin(_ x: Float) -> Float { CRealtimeShims_sinf(x) }
    /// The cosine of an angle in radians.
    @inlinable @_noLocks public static func cos(_ x: Float) -> Float { CRealtimeShims_cosf(x) }
    /// The tangent of an angle in radians.
    @inlinable @_noLocks public static func tan(_ x: Float) -> Float { CRealtimeShims_tanf(x) }
    /// The hyperbolic tangent of `x`.
    @inlinable @_noLocks public static func tanh(_ x: Float) -> Float { CRealtimeShims_tanhf(x) }
    /// e to the power of `x`.
    @inlinable @_noLocks public static func exp(_ x: Float) -> Float { CRealtimeShims_expf(x) }
    /// 2 to the power of `x`.
    @inlinable @_noLocks public static func exp2(_ x: Float) -> Float { CRealtimeShims_exp2f(x) }
    /// The natural logarithm of `x`.
    @inlinable @_noLocks public static func log(_ x: Float) -> Float { CRealtimeShims_logf(x) }
    /// The logarithm of `x` to base 2.
    @inlinable @_noLocks public static func log2(_ x: Float) -> Float { CRealtimeShims_log2f(x) }
    /// The logarithm of `x` to base 10.
    @inlinable @_noLocks public static func log10(_ x: Float) -> Float { CRealtimeShims_log10f(x) }
    /// `x` to the power of `y`.
    @inlinable @_noLocks public static func pow(_ x: Float, _ y: Float) -> Float { CRealtimeShims_powf(x, y) }
    /// The largest whole number that is not above `x`.
    @inlinable @_noLocks public static func floor(_ x: Float) -> Float { CRealtimeShims_floorf(x) }
    /// The sine of an angle in radians.
    @inlinable @_noLocks public static func sin(_ x: Double) -> Double { CRealtimeShims_sin(x) }
    /// The cosine of an angle in radians.
    @inlinable @_noLocks public static func cos(_ x: Double) -> Double { CRealtimeShims_cos(x) }
    /// The tangent of an angle in radians.
    @inlinable @_noLocks public static func tan(_ x: Double) -> Double { CRealtimeShims_tan(x) }
    /// e to the power of `x`.
    @inlinable @_noLocks public static func exp(_ x: Double) -> Double { CRealtimeShims_exp(x) }
    /// The natural logarithm of `x`.
    @inlinable @_noLocks public static func log(_ x: Double) -> Double { CRealtimeShims_log(x) }
    /// `x` to the power of `y`.
    @inlinable @_noLocks public static func pow(_ x: Double, _ y: Double) -> Double { CRealtimeShims_pow(x, y) }
    /// The hyperbolic sine of `x`.
    @inlinable @_noLocks public static func sinh(_ x: Double) -> Double { CRealtimeShims_sinh(x) }
    /// The hyperbolic tangent of `x`.
    @inlinable @_noLocks public static func tanh(_ x: Double) -> Double { CRealtimeShims_tanh(x) }
    /// The square root of `x`.
    @inlinable @_noLocks public static func sqrt(_ x: Double) -> Double { CRealtimeShims_sqrt(x) }
    /// 2 to the power of `x`.
    @inlinable @_noLocks public static func exp2(_ x: Double) -> Double { CRealtimeShims_exp2(x) }
    /// The largest whole number that is not above `x`.
    @inlinable @_noLocks public static func floor(_ x: Double) -> Double { CRealtimeShims_floor(x) }

    /// The gain factor of a level in decibels: 10^(dB/20).
    @inlinable @_noLocks public static func gain(fromDecibels decibels: Float) -> Float { CRealtimeShims_powf(10, decibels * 0.05) }

    /// The level in decibels of a gain factor; −200 dB for silence.
    @inlinable @_noLocks public static func decibels(fromGain gain: Float) -> Float {
        gain <= 1e-10 ? -200 : 20 * CRealtimeShims_log10f(gain)
    }
}
