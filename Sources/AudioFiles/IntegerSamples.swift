// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// From floating point to integer samples, rounded and, for 16 bits, dithered. Control thread.

import Glibc

/// Makes integer samples of floating point.
///
/// 16-bit samples get triangular dither of two steps, which turns the error of rounding into noise (Lipshitz, Wannamaker, Vanderkooy:
/// Quantization and Dither, 1992). A sample that the format holds exactly stays as it is, so what was only copied has the same bits, and
/// silence stays silent. The dither is the same each time, so equal sound makes equal files.
struct IntegerSamples {
    private let scale: Float
    private let shift: Int32
    private let isDithered: Bool
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Samples of so many bits, from 16 to 32.
    init(bitCount: Int) {
        scale = Float(sign: .plus, exponent: bitCount - 1, significand: 1)
        shift = Int32(32 - bitCount)
        isDithered = bitCount <= 16
    }

    /// A sample from −1 to 1 in the upper bits of an integer.
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
