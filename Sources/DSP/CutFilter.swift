// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A second-order Butterworth low cut or high cut of two channels, which can be retuned while it runs. Render thread.

import Realtime

/// A Butterworth filter of 12 dB an octave for a pair of channels, in the state-variable form with trapezoidal integrators.
///
/// The state of this form lies in integrators, so a change of frequency adds no sound of its own.
///
/// Sources: V. Zavalishin, *The Art of VA Filter Design*, 2018, chapter 4; A. Simper, *Solving the continuous SVF equations
/// using trapezoidal integration and equivalent currents*, Cytomic 2013.
@frozen
public struct CutFilter {
    /// The side of the frequency that is removed: the low or the high one.
    @frozen public enum Side: Sendable { case low, high }

    /// The side that this filter removes.
    public let side: Side
    /// True if a high cut is tuned so high that it passes everything.
    @usableFromInline var isOpen = false
    @usableFromInline var feedback: Float = 0
    @usableFromInline var gain: Float = 0
    @usableFromInline var squaredGain: Float = 0
    /// The integrators of both channels, which one instruction processes together.
    @usableFromInline var first = SIMD2<Float>(0, 0)
    @usableFromInline var second = SIMD2<Float>(0, 0)
    /// 1/Q of a second-order Butterworth filter.
    @usableFromInline static var damping: Float { @_noLocks get { 1.414_213_56 } }

    /// `[any]` Makes a filter; call `tune` before `process`.
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

    /// `[render]` Filters both channels in place.
    @inlinable @_noLocks
    public mutating func process(_ samples: ChannelPair, frameCount: Int) {
        if isOpen { return follow(samples, frameCount) }
        var running = self
        switch side {
        case .low:
            for frame in 0..<frameCount {
                let input = SIMD2(samples.first[frame], samples.second[frame])
                let (band, low) = running.advance(input)
                running.put(input - Self.damping * band - low, samples, frame)
            }
        case .high:
            for frame in 0..<frameCount {
                let input = SIMD2(samples.first[frame], samples.second[frame])
                running.put(running.advance(input).low, samples, frame)
            }
        }
        first = running.first
        second = running.second
    }

    /// Updates the state of a filter that passes everything.
    @inlinable @_noLocks
    mutating func follow(_ samples: ChannelPair, _ frameCount: Int) {
        guard frameCount > 0 else { return }
        first = SIMD2(0, 0)
        second = SIMD2(samples.first[frameCount - 1], samples.second[frameCount - 1])
    }

    @inlinable @inline(__always) @_noLocks
    mutating func advance(_ input: SIMD2<Float>) -> (band: SIMD2<Float>, low: SIMD2<Float>) {
        let difference = input - second
        let band = feedback * first + gain * difference
        let low = second + gain * first + squaredGain * difference
        // Written as 2 · band − first and 2 · low − second, with fewer steps from one frame to the next.
        second += 2 * gain * first + 2 * squaredGain * difference
        first = (2 * feedback - 1) * first + 2 * gain * difference
        return (band, low)
    }

    @inlinable @inline(__always) @_noLocks
    func put(_ output: SIMD2<Float>, _ samples: ChannelPair, _ frame: Int) {
        samples.first[frame] = output.x
        samples.second[frame] = output.y
    }

    /// `[render]` Forgets all sound.
    @inlinable @_noLocks
    public mutating func reset() {
        first = SIMD2(0, 0)
        second = SIMD2(0, 0)
    }

    /// `[render]` Clears state that is denormal, infinite or NaN; cheap enough for every few dozen frames.
    @inlinable @_noLocks
    public mutating func tidy() {
        for lane in 0..<2 {
            if !(abs(first[lane]) > 1e-20 && abs(first[lane]) < 1e20) { first[lane] = 0 }
            if !(abs(second[lane]) > 1e-20 && abs(second[lane]) < 1e20) { second[lane] = 0 }
        }
    }
}
