// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Two poles or zeros of an analogue filter, and the digital pair that matches them. Any thread.

import Realtime

/// The roots of s² + s·ω/Q + ω², the poles or zeros of an analogue filter.
public struct AnaloguePair {
    /// The natural frequency ω in radians a frame; it may lie above half the sample rate, π.
    public var frequency: Double
    /// The quality factor Q; below ½ the roots are real.
    public var q: Double

    /// Makes a pair from its frequency in radians a frame and its quality factor.
    @_noLocks public init(frequency: Double, q: Double) {
        self.frequency = frequency
        self.q = q
    }

    /// The squared magnitude of 1 + s/(ωQ) + s²/ω² at a frequency in radians a frame.
    @_noLocks func squaredMagnitude(at frequency: Double) -> Double {
        let ratio = frequency / self.frequency
        let real = 1 - ratio * ratio
        let imaginary = ratio / q
        return real * real + imaginary * imaginary
    }

    /// The number of frames in which a ringing pole pair decays to 120 dB below full scale.
    public var decayFrameCount: Int {
        @_noLocks get {
            let real = Maths.sqrt(max(0, 1 / (4 * q * q) - 1))
            let slowest = frequency / (1 / (2 * q) + real)
            let decay = q > 0.5 ? frequency / (2 * q) : slowest
            let level = Maths.log(1e6 * max(1, q))
            return Int(min(1e15, level / decay)) + 2
        }
    }

    /// The digital roots: matched Z, exp(s), if the roots ring below half the sample rate.
    ///
    /// Roots above it would fold down. For them x = sin²(ω/2) is replaced by its rational approximation ω²/(4 + βω²), which is
    /// good up to a quarter of the sample rate. Just below half the sample rate, both methods are blended.
    var matched: DigitalPair {
        @_noLocks get {
            let discriminant = 1 - 1 / (4 * q * q)
            if discriminant <= 0 { return matchedReal(spread: frequency * Maths.sqrt(-discriminant)) }
            let ringing = frequency * Maths.sqrt(discriminant)
            if ringing <= Self.blendStart { return matchedComplex(ringing) }
            return folded(ringing)
        }
    }

    private static var blendStart: Double { @_noLocks get { 0.9 * Double.pi } }
    /// β of the rational approximation: slightly more than its best values, ⅓ at 0 and 0.379 at π/2.
    private static var beta: Double { @_noLocks get { 0.4 } }

    /// Matches real roots; `spread` is half the distance between them.
    ///
    /// Their product is ω², which avoids a difference.
    @_noLocks private func matchedReal(spread: Double) -> DigitalPair {
        let far = frequency / (2 * q) + spread
        let first = Maths.tanh(far / 2)
        let second = Maths.tanh(frequency * frequency / far / 2)
        let gain = Maths.sqrt(first * second)
        return DigitalPair(gain: gain, damping: (first + second) / gain)
    }

    /// tanh(s/2)| and its angle at s = −ω/2Q + j·ringing, in forms that keep their precision at low frequencies.
    @_noLocks private func matchedComplex(_ ringing: Double) -> DigitalPair {
        let decay = Maths.sinh(frequency / (4 * q))
        let (sine, cosine) = (Maths.sin(ringing / 2), Maths.cos(ringing / 2))
        let above = decay * decay + sine * sine
        let below = decay * decay + cosine * cosine
        let gain = Maths.sqrt(above / below)
        return DigitalPair(gain: gain, damping: 2 * decay * Maths.sqrt(1 + decay * decay) / (below * gain))
    }

    /// Works on 1/T, T = x/(1 − x) = −tanh²(s/2), which is finite and smooth across half the sample rate.
    @_noLocks private func folded(_ ringing: Double) -> DigitalPair {
        let decay = frequency / (2 * q)
        let power = frequency * frequency * frequency * frequency
        let square = (real: decay * decay - ringing * ringing, imaginary: -2 * decay * ringing)
        var real = -4 * square.real / power - (1 - Self.beta)
        var imaginary = 4 * square.imaginary / power
        if ringing < Double.pi {
            let share = (ringing - Self.blendStart) / (Double.pi - Self.blendStart)
            let exact = matchedComplex(ringing).inverseSquare
            real = share * real + (1 - share) * exact.real
            imaginary = share * imaginary + (1 - share) * exact.imaginary
        }
        let magnitude = Maths.sqrt(real * real + imaginary * imaginary)
        return DigitalPair(gain: 1 / Maths.sqrt(magnitude), damping: Maths.sqrt(max(0, 2 - 2 * real / magnitude)))
    }
}

/// Two roots in the z plane, as the parameters of a trapezoidal state variable filter.
///
/// These are the integrator gain g and the damping k. The roots are those of S² + k·S + 1 with S = (1 − z⁻¹)/(1 + z⁻¹)/g.
struct DigitalPair {
    var gain: Double
    var damping: Double

    /// The squared magnitude of the roots' polynomial, 1 at frequency 0; `x` is sin² of half the frequency.
    @_noLocks func squaredMagnitude(x: Double) -> Double {
        let scaled = x / (gain * gain)
        return (1 - x) * (1 - x) + (damping * damping - 2) * (1 - x) * scaled + scaled * scaled
    }

    /// 1/T at the roots; the root itself is S·g with S on the unit circle at cos φ = −k/2.
    fileprivate var inverseSquare: (real: Double, imaginary: Double) {
        @_noLocks get {
            let scale = 1 / (gain * gain)
            let cosine = damping * damping / 2 - 1
            return (-cosine * scale, -damping * Maths.sqrt(max(0, 1 - damping * damping / 4)) * scale)
        }
    }
}
