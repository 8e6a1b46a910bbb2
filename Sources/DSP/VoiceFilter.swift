// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A resonant filter of two channels whose frequency moves from frame to frame. Render thread.

import Realtime

/// A low-pass, band-pass or high-pass filter for a voice, in the state-variable form with trapezoidal integrators.
///
/// Its frequency may move at any speed, because the state lies in integrators. Source: A. Simper, "Solving the continuous SVF
/// equations using trapezoidal integration and equivalent currents", Cytomic 2013.
@frozen
public struct VoiceFilter: BitwiseCopyable, Sendable {
    /// The band that passes.
    @frozen public enum Kind: Sendable { case lowPass, steepLowPass, bandPass, highPass }

    @usableFromInline var kind = Kind.lowPass
    /// The frequency as tan(πf/fs), and 1/Q.
    @usableFromInline var (gain, damping): (Float, Float) = (0.1, 1.414_213_6)
    @usableFromInline var (gainStep, dampingStep): (Float, Float) = (0, 0)
    @usableFromInline var (first, second) = (SIMD2<Float>(0, 0), SIMD2<Float>(0, 0))
    /// The second half of a steep filter.
    @usableFromInline var (third, fourth) = (SIMD2<Float>(0, 0), SIMD2<Float>(0, 0))

    /// `[any]` Makes a filter; call `start` before `process`.
    @inlinable @_noLocks
    public init() {}

    /// `[render]` Forgets all sound, and jumps to a frequency in cycles a frame and to a quality.
    @inlinable @_noLocks
    public mutating func start(_ kind: Kind, frequency: Float, q: Float) {
        self.kind = kind
        (gain, damping) = (Self.gain(frequency), 1 / q)
        (gainStep, dampingStep) = (0, 0)
        (first, second, third, fourth) = (SIMD2(0, 0), SIMD2(0, 0), SIMD2(0, 0), SIMD2(0, 0))
    }

    /// `[render]` Glides frequency and quality over `frameCount` frames, at least 1.
    ///
    /// Call it again after that number of frames, because the line does not stop by itself.
    @inlinable @_noLocks
    public mutating func glide(to frequency: Float, q: Float, over frameCount: Int) {
        gainStep = (Self.gain(frequency) - gain) / Float(frameCount)
        dampingStep = (1 / q - damping) / Float(frameCount)
    }

    @inlinable @_noLocks
    static func gain(_ frequency: Float) -> Float { Maths.tan(Float.pi * max(1e-5, min(frequency, 0.48))) }

    /// `[render]` Filters one frame of both channels.
    @inlinable @inline(__always) @_noLocks
    public mutating func process(_ input: SIMD2<Float>) -> SIMD2<Float> {
        gain += gainStep
        damping += dampingStep
        let (band, low) = Self.advance(input, gain, damping, &first, &second)
        switch kind {
        case .lowPass: return low
        // Two flat halves would have −3 dB each at the corner, and −6 dB together.
        case .steepLowPass: return Self.advance(low, gain, 1, &third, &fourth).low
        case .bandPass: return damping * band
        case .highPass: return input - damping * band - low
        }
    }

    @inlinable @inline(__always) @_noLocks
    static func advance(
        _ input: SIMD2<Float>, _ gain: Float, _ damping: Float, _ first: inout SIMD2<Float>, _ second: inout SIMD2<Float>
    ) -> (band: SIMD2<Float>, low: SIMD2<Float>) {
        let scale = 1 / (1 + gain * (gain + damping))
        let band = scale * (first + gain * (input - second))
        let low = second + gain * band
        first = 2 * band - first
        second = 2 * low - second
        return (band, low)
    }
}
