// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How loud a sound is in each third of an octave. Any thread.

import DSP
import Foundation

/// The levels of a stretch of stereo sound: left, right, and their difference, each in bands and as a whole.
struct BandLevels {
    /// Decibels of full scale, those of ``names``.
    let decibels: [Double]

    /// A band is a third of an octave around 1000 Hz times a power of 2^(1/3), from 40 Hz to 16 kHz.
    static let bands = Array(-14...12)
    /// What is lower counts as this: it is not heard.
    private static let floor = -90.0
    private static let rate = 48_000.0
    private static let exponent = 13

    /// The window of von Hann.
    private static let window = (0..<1 << exponent).map { index in
        Float(0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(1 << exponent)))
    }

    /// The name of each level, such as `left 1000 Hz`.
    static let names: [String] = ["left", "right", "difference"].flatMap { signal in
        ["\(signal), all"] + bands.map { "\(signal), \(Int((1000 * pow(2, Double($0) / 3)).rounded())) Hz" }
    }

    /// Measures interleaved frames of 48 kHz, of which there are at least 8192.
    init(_ samples: [Float]) {
        let transform = FourierTransform(exponent: Self.exponent)
        let (size, frameCount) = (transform.size, samples.count / 2)
        // Three signals, each with the power of every frequency.
        var powers = [[Double]](repeating: [Double](repeating: 0, count: size / 2), count: 3)
        var windowCount = 0.0
        for start in stride(from: 0, through: frameCount - size, by: size / 2) {
            for index in 0..<size {
                transform.real[index] = Self.window[index] * samples[2 * (start + index)]
                transform.imaginary[index] = Self.window[index] * samples[2 * (start + index) + 1]
            }
            transform.run()
            for bin in 1..<size / 2 {
                // What is even in the transform belongs to the left channel, what is odd to the right one.
                let (realSum, realDifference) = Self.parts(transform.real[bin], transform.real[size - bin])
                let (imaginarySum, imaginaryDifference) = Self.parts(transform.imaginary[bin], transform.imaginary[size - bin])
                let (left, right) = ((realSum, imaginaryDifference), (imaginarySum, -realDifference))
                powers[0][bin] += left.0 * left.0 + left.1 * left.1
                powers[1][bin] += right.0 * right.0 + right.1 * right.1
                powers[2][bin] += (left.0 - right.0) * (left.0 - right.0) + (left.1 - right.1) * (left.1 - right.1)
            }
            windowCount += 1
        }
        // A sine of full scale has 0 dB: under this window its bins hold 3/32 of the square of the size.
        let scale = 32 / (3 * Double(size) * Double(size) * max(1, windowCount))
        let width = Self.rate / Double(size)
        decibels = powers.flatMap { power in
            let sums = Self.bands.map { band -> Double in
                let centre = 1000 * pow(2, Double(band) / 3)
                let (low, high) = (Int(centre * pow(2, -1 / 6.0) / width), Int(centre * pow(2, 1 / 6.0) / width))
                return power[(low + 1)...high].reduce(0, +)
            }
            return ([power.reduce(0, +)] + sums).map { max(Self.floor, 10 * log10(max(1e-30, $0 * scale))) }
        }
    }

    private static func parts(_ first: Float, _ second: Float) -> (sum: Double, difference: Double) {
        ((Double(first) + Double(second)) / 2, (Double(first) - Double(second)) / 2)
    }
}
