// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Cheap waves with little aliasing, for drums. Any thread.

/// A saw or square whose steps are smoothed over two samples with a polynomial.
///
/// `BandLimitedOscillator` costs more, but hardly aliases at all. Source: PolyBLEP (Välimäki and Huovilainen, "Antialiasing
/// Oscillators in Subtractive Synthesis", 2007).
@frozen
public struct StepOscillator: BitwiseCopyable, Sendable {
    @usableFromInline var phase: Double
    @usableFromInline let increment: Double

    /// `[any]` Makes a wave of `frequency` hertz that starts at the fractional part of a phase.
    @inlinable @_noLocks
    public init(frequency: Double, phase: Double = 0, sampleRate: Double) {
        self.phase = phase - Double(Int(phase))
        increment = min(0.45, frequency / sampleRate)
    }

    /// `[any]` The next sample of a saw, from −1 to 1.
    @inlinable @_noLocks
    public mutating func saw() -> Double {
        let sample = 2 * phase - 1 - step(at: phase)
        advance()
        return sample
    }

    /// `[any]` The next sample of a square, from −1 to 1.
    @inlinable @inline(__always) @_noLocks
    public mutating func square() -> Double {
        let half = phase < 0.5 ? phase + 0.5 : phase - 0.5
        let sample = (phase < 0.5 ? 1 : -1) + step(at: phase) - step(at: half)
        advance()
        return sample
    }

    @inlinable @inline(__always) @_noLocks
    mutating func advance() {
        phase += increment
        if phase >= 1 { phase -= 1 }
    }

    @inlinable @inline(__always) @_noLocks
    func step(at phase: Double) -> Double {
        if phase < increment {
            let near = phase / increment - 1
            return -near * near
        }
        if phase > 1 - increment {
            let near = (phase - 1) / increment + 1
            return near * near
        }
        return 0
    }
}
