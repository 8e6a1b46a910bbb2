// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts floating point to integer samples, rounded and, for 16 bits, dithered. Control thread.

import Glibc

/// Converts floating point to integer samples.
///
/// 16-bit samples get triangular dither of two steps, which turns the error of rounding into noise. A sample that the format
/// holds exactly is not changed, so copied samples keep their bits, and silence stays silent. The dither is the same each time,
/// so equal sound makes equal files.
///
/// Source: Lipshitz, Wannamaker, Vanderkooy: Quantization and Dither, 1992.
struct IntegerSamples {
    private let scale: Float
    private let shift: Int32
    private let isDithered: Bool
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Makes a converter for integers of 16 to 32 bits.
    init(bitCount: Int) {
        scale = Float(sign: .plus, exponent: bitCount - 1, significand: 1)
        shift = Int32(32 - bitCount)
        isDithered = bitCount <= 16
    }

    /// Converts a sample from −1 to 1; the result is in the upper bits of the integer.
    mutating func convert(_ sample: Float) -> Int32 {
        let scaled = sample * scale
        var rounded = scaled.rounded(.toNearestOrEven)
        if isDithered, rounded != scaled { rounded = (scaled + noise() - noise()).rounded(.toNearestOrEven) }
        let limited = Int64(max(-scale, min(scale, rounded)))
        return Int32(clamping: min(limited, Int64(scale) - 1) << Int64(shift))
    }

    /// Evenly distributed from 0 to 1: the upper bits of a linear congruential generator.
    private mutating func noise() -> Float {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(random >> 40) / Float(1 << 24)
    }
}
