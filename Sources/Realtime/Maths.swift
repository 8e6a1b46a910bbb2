// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Render-safe maths: the one file in which libm is vouched for on the render path.

import CRealtimeShims

/// Functions of libm and unit conversions that may be called while rendering.
///
/// `[any]` None of them allocates, locks or enters the kernel.
public enum Maths {
    @inlinable @_noLocks public static func sin(_ x: Float) -> Float { CRealtimeShims_sinf(x) }
    @inlinable @_noLocks public static func cos(_ x: Float) -> Float { CRealtimeShims_cosf(x) }
    @inlinable @_noLocks public static func tan(_ x: Float) -> Float { CRealtimeShims_tanf(x) }
    @inlinable @_noLocks public static func tanh(_ x: Float) -> Float { CRealtimeShims_tanhf(x) }
    @inlinable @_noLocks public static func exp(_ x: Float) -> Float { CRealtimeShims_expf(x) }
    @inlinable @_noLocks public static func exp2(_ x: Float) -> Float { CRealtimeShims_exp2f(x) }
    @inlinable @_noLocks public static func log(_ x: Float) -> Float { CRealtimeShims_logf(x) }
    @inlinable @_noLocks public static func log2(_ x: Float) -> Float { CRealtimeShims_log2f(x) }
    @inlinable @_noLocks public static func log10(_ x: Float) -> Float { CRealtimeShims_log10f(x) }
    @inlinable @_noLocks public static func pow(_ x: Float, _ y: Float) -> Float { CRealtimeShims_powf(x, y) }
    @inlinable @_noLocks public static func floor(_ x: Float) -> Float { CRealtimeShims_floorf(x) }
    @inlinable @_noLocks public static func sin(_ x: Double) -> Double { CRealtimeShims_sin(x) }
    @inlinable @_noLocks public static func cos(_ x: Double) -> Double { CRealtimeShims_cos(x) }
    @inlinable @_noLocks public static func tan(_ x: Double) -> Double { CRealtimeShims_tan(x) }
    @inlinable @_noLocks public static func exp(_ x: Double) -> Double { CRealtimeShims_exp(x) }
    @inlinable @_noLocks public static func log(_ x: Double) -> Double { CRealtimeShims_log(x) }
    @inlinable @_noLocks public static func pow(_ x: Double, _ y: Double) -> Double { CRealtimeShims_pow(x, y) }
    @inlinable @_noLocks public static func sinh(_ x: Double) -> Double { CRealtimeShims_sinh(x) }
    @inlinable @_noLocks public static func tanh(_ x: Double) -> Double { CRealtimeShims_tanh(x) }
    @inlinable @_noLocks public static func sqrt(_ x: Double) -> Double { CRealtimeShims_sqrt(x) }
    @inlinable @_noLocks public static func exp2(_ x: Double) -> Double { CRealtimeShims_exp2(x) }
    @inlinable @_noLocks public static func floor(_ x: Double) -> Double { CRealtimeShims_floor(x) }

    /// The gain factor of a level in decibels: 10^(dB/20).
    @inlinable @_noLocks public static func gain(fromDecibels decibels: Float) -> Float { CRealtimeShims_powf(10, decibels * 0.05) }

    /// The level in decibels of a gain factor, −200 dB for silence.
    @inlinable @_noLocks public static func decibels(fromGain gain: Float) -> Float {
        gain <= 1e-10 ? -200 : 20 * CRealtimeShims_log10f(gain)
    }
}
