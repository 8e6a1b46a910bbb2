// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The compressor over the sum of the demonstration's parts. Control thread.

import Glibc

/// A feed-forward compressor with a soft knee and a detector in the log domain.
///
/// Source: Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", JAES 2012.
struct GlueCompressor {
    let threshold: Double
    let ratio: Double
    private let knee = 6.0
    private let attack: Double
    private let release: Double
    private var reduction = 0.0

    /// Makes a compressor.
    ///
    /// `threshold` is in decibels relative to full scale; `attack` and `release` are in seconds.
    init(threshold: Double, ratio: Double, attack: Double, release: Double, sampleRate: Double) {
        (self.threshold, self.ratio) = (threshold, ratio)
        self.attack = exp(-1 / (attack * sampleRate))
        self.release = exp(-1 / (release * sampleRate))
    }

    /// Compresses one frame with the same gain for both channels.
    mutating func process(_ left: Double, _ right: Double) -> (Double, Double) {
        let level = 20 * log10(max(1e-6, max(abs(left), abs(right))))
        let wanted = wantedReduction(at: level - threshold)
        let pace = wanted > reduction ? attack : release
        reduction = wanted + pace * (reduction - wanted)
        let gain = exp(-reduction * 0.115129254649702)
        return (left * gain, right * gain)
    }

    private func wantedReduction(at excess: Double) -> Double {
        let slope = 1 - 1 / ratio
        if excess <= -knee / 2 { return 0 }
        if excess >= knee / 2 { return slope * excess }
        return slope * (excess + knee / 2) * (excess + knee / 2) / (2 * knee)
    }
}
