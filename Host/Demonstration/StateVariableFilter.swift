// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A resonant filter with three outputs for the demonstration's voices. Control thread.

import Glibc

/// A second-order state-variable filter by trapezoidal integration.
///
/// Source: A. Simper, "Linear Trapezoidal Integrated State Variable Filter", 2013.
struct StateVariableFilter {
    private var first = 0.0
    private var second = 0.0
    private var gain = 0.0
    private var scale = 0.0
    private let damping: Double
    private let sampleRate: Double

    /// A filter at `cutoff` hertz; a `resonance` of 0.707 is flat.
    init(cutoff: Double, resonance: Double = 0.707, sampleRate: Double) {
        self.sampleRate = sampleRate
        damping = 1 / resonance
        tune(to: cutoff)
    }

    /// Moves the cutoff, which stays below the highest frequency that the rate can carry.
    mutating func tune(to cutoff: Double) {
        gain = tan(.pi * min(cutoff, 0.45 * sampleRate) / sampleRate)
        scale = 1 / (1 + gain * (gain + damping))
    }

    /// One sample in, the low-pass, band-pass and high-pass samples out; band-pass has unit gain at its centre.
    mutating func process(_ input: Double) -> (low: Double, band: Double, high: Double) {
        let band = scale * (first + gain * (input - second))
        let low = second + gain * band
        first = 2 * band - first
        second = 2 * low - second
        return (low, damping * band, input - damping * band - low)
    }
}
