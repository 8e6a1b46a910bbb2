// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A resonant filter of one channel with three outputs, for drums and other voices. Any thread.

import Realtime

/// A second-order state-variable filter by trapezoidal integration.
///
/// Source: A. Simper, "Linear Trapezoidal Integrated State Variable Filter", 2013.
@frozen
public struct StateVariableFilter: BitwiseCopyable, Sendable {
    @usableFromInline var first = 0.0
    @usableFromInline var second = 0.0
    @usableFromInline var gain = 0.0
    @usableFromInline var scale = 0.0
    @usableFromInline let damping: Double
    @usableFromInline let sampleRate: Double

    /// `[any]` Makes a filter at `cutoff` hertz; a `resonance` of 0.707 is flat.
    @inlinable @_noLocks
    public init(cutoff: Double, resonance: Double = 0.707, sampleRate: Double) {
        self.sampleRate = sampleRate
        damping = 1 / resonance
        tune(to: cutoff)
    }

    /// `[any]` Moves the cutoff, which is kept below half the sample rate.
    @inlinable @_noLocks
    public mutating func tune(to cutoff: Double) {
        gain = Maths.tan(.pi * min(cutoff, 0.45 * sampleRate) / sampleRate)
        scale = 1 / (1 + gain * (gain + damping))
    }

    /// `[any]` Takes one sample and returns the low-pass, band-pass and high-pass samples; band-pass has unit gain at its
    /// centre.
    @inlinable @inline(__always) @_noLocks
    public mutating func process(_ input: Double) -> (low: Double, band: Double, high: Double) {
        let band = scale * (first + gain * (input - second))
        let low = second + gain * band
        first = 2 * band - first
        second = 2 * low - second
        return (low, damping * band, input - damping * band - low)
    }
}
