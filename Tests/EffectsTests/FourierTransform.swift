// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The discrete Fourier transform behind the measurements of distortion and reverb. Test thread.

import Foundation

/// A radix-2 transform of real samples, whose count is a power of two.
struct FourierTransform {
    /// Powers of the bins 0…count/2.
    ///
    /// A sine of amplitude 1 that fits the window exactly has power 1.
    let powers: [Double]

    init(_ samples: [Double]) {
        precondition(samples.count.nonzeroBitCount == 1)
        var real = samples
        var imaginary = [Double](repeating: 0, count: samples.count)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer {
                Self.transform(real.baseAddress!, $0.baseAddress!, samples.count)
            }
        }
        let scale = 2 / Double(samples.count)
        powers = (0...samples.count / 2).map {
            (real[$0] * real[$0] + imaginary[$0] * imaginary[$0]) * scale * scale
        }
    }

    init(_ samples: some Sequence<Float>) { self.init(samples.map(Double.init)) }

    /// Transforms in place, decimated in time.
    ///
    /// Source: J. Cooley, J. Tukey, 1965.
    private static func transform(
        _ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>, _ count: Int
    ) {
        reorder(real, count)
        var half = 1
        while half < count {
            for offset in 0..<half {
                let angle = -Double.pi * Double(offset) / Double(half)
                let (c, s) = (cos(angle), sin(angle))
                var low = offset
                while low < count {
                    let high = low + half
                    let re = real[high] * c - imaginary[high] * s
                    let im = real[high] * s + imaginary[high] * c
                    real[high] = real[low] - re
                    imaginary[high] = imaginary[low] - im
                    real[low] += re
                    imaginary[low] += im
                    low += 2 * half
                }
            }
            half *= 2
        }
    }

    /// Sorts by the bits of the indices, read backwards.
    private static func reorder(_ values: UnsafeMutablePointer<Double>, _ count: Int) {
        var mirrored = 0
        for index in 0..<count {
            if mirrored > index { swap(&values[index], &values[mirrored]) }
            var bit = count >> 1
            while bit > 0 && mirrored & bit != 0 {
                mirrored ^= bit
                bit >>= 1
            }
            mirrored |= bit
        }
    }
}
