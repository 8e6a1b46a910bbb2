// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The coefficients of a second-order filter: three FIR taps and a state variable filter. Any thread.

import Realtime

/// The coefficients of three taps and of the trapezoidal state variable filter after them.
///
/// The taps give u = t0·in + t1·in₋₁ + t2·in₋₂. The filter follows in state-space form:
///
///     y  = d·u + c1·s1 + c2·s2
///     s1 ← a·s1 + b1·(u − s2)
///     s2 ← s2 + b1·s1 + b2·(u − s2)
///
/// The matrix of the state never lengthens the vector (s1, s2), nor does any matrix on a straight line between two of them. So
/// coefficients may be interpolated at any speed, and the filter stays stable.
public struct SectionCoefficients {
    var t0 = 1.0
    var t1 = 0.0
    var t2 = 0.0
    var a = 0.0
    var b1 = 0.0
    var b2 = 0.0
    var c1 = 0.0
    var c2 = 0.0
    var d = 1.0

    /// Makes coefficients that pass the input unchanged.
    @_noLocks public init() {}

    /// The filter (n0 + n1·S + n2·S²) / (1 + k·S + S²).
    @_noLocks init(poles: DigitalPair, numerator: (n0: Double, n1: Double, n2: Double)) {
        let (g, k) = (poles.gain, poles.damping)
        let a1 = 1 / (1 + g * (g + k))
        let a2 = g * a1
        let a3 = g * a2
        (a, b1, b2) = (2 * a1 - 1, 2 * a2, 2 * a3)
        let band = numerator.n1 - numerator.n2 * k
        let low = numerator.n0 - numerator.n2
        d = numerator.n2 + band * a2 + low * a3
        c1 = band * a1 + low * a2
        c2 = low * (1 - a3) - band * a2
    }

    /// Chooses minimum-phase taps from their squared magnitudes.
    ///
    /// The magnitude is 1 at frequency 0, and has the given squares at 1/8 and 1/4 of the sample rate.
    @_noLocks mutating func setTaps(eighth: Double, quarter: Double) {
        let x = 0.146_446_609_406_726_24
        let slope = (eighth - 1) / x
        let curvature = (2 * (quarter - 1) - slope) / (0.5 - x)
        let linear = slope - curvature * x
        let nyquist = Maths.sqrt(max(0, 1 + linear + curvature))
        let even = (1 + nyquist) / 2
        t0 = (even + Maths.sqrt(max(0, even * even - curvature / 4))) / 2
        t1 = (1 - nyquist) / 2
        t2 = even - t0
    }

    /// The step for each frame that reaches `target` after `frameCount` frames.
    @_noLocks func step(to target: SectionCoefficients, over frameCount: Int) -> SectionCoefficients {
        var step = target
        step.add(self, times: -1)
        var scaled = step
        scaled.add(step, times: 1 / Double(frameCount) - 1)
        return scaled
    }

    @_noLocks mutating func add(_ other: SectionCoefficients, times factor: Double) {
        t0 += other.t0 * factor
        t1 += other.t1 * factor
        t2 += other.t2 * factor
        a += other.a * factor
        b1 += other.b1 * factor
        b2 += other.b2 * factor
        c1 += other.c1 * factor
        c2 += other.c2 * factor
        d += other.d * factor
    }
}
