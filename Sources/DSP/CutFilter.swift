// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A second-order Butterworth low cut or high cut that can be retuned while it runs. Render thread.

import Realtime

/// A Butterworth filter of 12 dB an octave, in the state-variable form with trapezoidal integrators.
///
/// The state of this form lies in integrators, so that a change of frequency adds no sound of its own. Source: V.
/// Zavalishin, *The Art of VA Filter Design*, 2018, chapter 4; A. Simper, *Solving the continuous SVF equations using
/// trapezoidal integration and equivalent currents*, Cytomic 2013.
@frozen
public struct CutFilter {
    /// The side of the frequency that is removed.
    @frozen public enum Side: Sendable { case low, high }

    /// The side that this filter removes.
    public let side: Side
    /// Whether a high cut is tuned so high that it passes everything.
    @usableFromInline var isOpen = false
    @usableFromInline var feedback: Float = 0
    @usableFromInline var gain: Float = 0
    @usableFromInline var squaredGain: Float = 0
    @usableFromInline var first: Float = 0
    @usableFromInline var second: Float = 0
    /// 1/Q of a second-order Butterworth filter.
    @usableFromInline static var damping: Float { @_noLocks get { 1.414_213_56 } }

    /// `[any]` Makes a filter; call `tune` before `next`.
    @inlinable @_noLocks public init(_ side: Side) { self.side = side }

    /// `[render]` Puts the −3 dB point at `frequency` in hertz.
    ///
    /// A high cut at 0.49 of the sample rate or above passes everything. Near half the sample rate the bilinear transform
    /// would make it ring there.
    @inlinable @_noLocks
    public mutating func tune(to frequency: Float, sampleRate: Float) {
        let relative = min(frequency / sampleRate, 0.49)
        switch side {
        case .low: isOpen = false
        case .high: isOpen = relative > 0.4899
        }
        let warped = Maths.tan(Float.pi * relative)
        feedback = 1 / (1 + warped * (warped + Self.damping))
        gain = warped * feedback
        squaredGain = warped * gain
    }

    /// `[render]` Filters one sample.
    @inlinable @_noLocks
    public mutating func next(_ input: Float) -> Float {
        if isOpen {
            first = 0
            second = input
            return input
        }
        let difference = input - second
        let band = feedback * first + gain * difference
        let low = second + gain * first + squaredGain * difference
        first = 2 * band - first
        second = 2 * low - second
        switch side {
        case .high: return low
        case .low: return input - Self.damping * band - low
        }
    }

    /// `[render]` Forgets all sound.
    @inlinable @_noLocks
    public mutating func reset() {
        first = 0
        second = 0
    }

    /// `[render]` Clears state that is denormal, infinite or NaN; cheap enough for every few dozen frames.
    @inlinable @_noLocks
    public mutating func tidy() {
        if !(abs(first) > 1e-20 && abs(first) < 1e20) { first = 0 }
        if !(abs(second) > 1e-20 && abs(second) < 1e20) { second = 0 }
    }
}
