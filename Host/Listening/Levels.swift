// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The level of one channel: peak, mean, power, and faulty samples. Main thread.

import Glibc

/// Sums over the samples of one channel.
struct Levels {
    /// Full scale of 16-bit samples: formats with fewer bits do not exceed it.
    private static let fullScale: Float = 32767.0 / 32768
    /// The number of equal samples at full scale that counts as clipped.
    private static let clippedRun = 3

    private(set) var peak: Float = 0
    private(set) var clippedCount = 0
    private(set) var invalidCount = 0
    private var sum = 0.0
    private var squares = 0.0
    private var count = 0
    private var last: Float = 0
    private var run = 0

    /// Takes samples; NaN and infinity are counted, and count as silence.
    mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples { take(sample) }
        count += samples.count
    }

    private mutating func take(_ sample: Float) {
        guard sample.isFinite else {
            invalidCount += 1
            return
        }
        let magnitude = abs(sample)
        sum += Double(sample)
        squares += Double(sample) * Double(sample)
        if magnitude > peak { peak = magnitude }
        if magnitude >= Self.fullScale { takeLoud(sample) } else { run = 0 }
        last = sample
    }

    /// Takes a loud sample: beyond full scale it is clipped, and so are equal neighbours at full scale.
    private mutating func takeLoud(_ sample: Float) {
        run = run > 0 && sample == last ? run + 1 : 1
        if abs(sample) > 1 || run > Self.clippedRun {
            clippedCount += 1
        } else if run == Self.clippedRun {
            clippedCount += Self.clippedRun
        }
    }

    /// The mean of all samples.
    var mean: Double { count > 0 ? sum / Double(count) : 0 }
    /// The mean of the squares.
    var power: Double { count > 0 ? squares / Double(count) : 0 }
}

/// Levels in decibels.
enum Decibels {
    /// The decibels of an amplitude; nil for silence.
    static func of(amplitude: Double) -> Double? { amplitude > 0 ? 20 * log10(amplitude) : nil }
    /// The decibels of a mean square; nil for silence.
    static func of(power: Double) -> Double? { power > 0 ? 10 * log10(power) : nil }
}
