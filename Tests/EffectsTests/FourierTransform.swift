// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The discrete Fourier transform that the distortion's and the reverb's measurements stand on.

import Foundation

/// A radix-2 transform of real samples, whose count is a power of two.
struct FourierTransform {
    /// Powers of the bins 0…count/2. A sine of amplitude 1 that fits the window exactly has power 1.
    let powers: [Double]

    init(_ samples: [Double]) {
        precondition(samples.count.nonzeroBitCount == 1)
        var real = samples
        var imaginary = [Double](repeating: 0, count: samples.count)
        Self.transform(&real, &imaginary)
        let scale = 2 / Double(samples.count)
        powers = (0...samples.count / 2).map {
            (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]) * scale * scale
        }
    }

    init(_ samples: some Sequence<Float>) { self.init(samples.map(Double.init)) }

    /// J. Cooley, J. Tukey 1965, in place, decimated in time.
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        reorder(&real)
        var half = 1
        while half < real.count {
            for offset in 0..<half {
                let angle = -Double.pi * Double(offset) / Double(half)
                let (c, s) = (cos(angle), sin(angle))
                for low in stride(from: offset, to: real.count, by: 2 * half) {
                    let high = low + half
                    let re = real[high] * c - imaginary[high] * s
                    let im = real[high] * s + imaginary[high] * c
                    (real[high], imaginary[high]) = (real[low] - re, imaginary[low] - im)
                    (real[low], imaginary[low]) = (real[low] + re, imaginary[low] + im)
                }
            }
            half *= 2
        }
    }

    private static func reorder(_ values: inout [Double]) {
        let shift = UInt(Int.bitWidth - values.count.trailingZeroBitCount)
        for index in values.indices where values.count > 1 {
            let mirrored = Int(bitPattern: Self.reversed(UInt(index)) >> shift)
            if mirrored > index { values.swapAt(index, mirrored) }
        }
    }

    private static func reversed(_ bits: UInt) -> UInt {
        (0..<UInt.bitWidth).reduce(0) { $0 | ((bits >> UInt($1)) & 1) << UInt(UInt.bitWidth - 1 - $1) }
    }
}
