// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A second-order analogue filter, and the digital filter whose magnitude matches it. Any thread.

import Realtime

/// A second-order analogue filter, described by its poles and zeros.
public struct AnalogueSection {
    /// The zeros of the numerator.
    public enum Zeros {
        /// None: low-pass, 0 dB at frequency 0.
        case none
        /// One at frequency 0: band-pass, 0 dB at its centre.
        case oneAtZero
        /// Two at frequency 0: high-pass, 0 dB far above.
        case twoAtZero
        /// A pair: band-stop, peaking and shelves, 0 dB at frequency 0.
        case pair(AnaloguePair)
    }

    /// The poles, which set the frequency and the resonance.
    public var poles: AnaloguePair
    /// The zeros, which set the kind of filter.
    public var zeros: Zeros
    /// A factor on top of the 0 dB points of `Zeros`.
    public var gain: Double

    /// Makes a filter from its poles and zeros; by default a low-pass.
    @_noLocks public init(poles: AnaloguePair, zeros: Zeros = .none, gain: Double = 1) {
        self.poles = poles
        self.zeros = zeros
        self.gain = gain
    }

    /// The digital filter: within 0.06 dB of the analogue magnitude up to a quarter of the sample rate.
    ///
    /// Poles and zeros are matched separately. A smooth ratio of squared magnitudes remains, and three FIR taps correct it.
    ///
    /// Sources: M. Vicanek, "Matched Second Order Digital Filters" (2016), works on squared magnitudes as polynomials of
    /// sin²(ω/2). His numerators meet the prototype at half the sample rate. These meet it at 0, 1/8 and 1/4 of the sample
    /// rate, and the taps come in addition to exact zeros. The recursion is A. Simper's trapezoidal state variable filter
    /// ("SvfLinearTrapOptimised2", Cytomic, 2013).
    public var matched: SectionCoefficients {
        @_noLocks get {
            let digital = poles.matched
            var coefficients = SectionCoefficients(poles: digital, numerator: numerator(over: digital))
            coefficients.setTaps(eighth: correction(digital, .eighth), quarter: correction(digital, .quarter))
            return coefficients
        }
    }

    /// The level in decibels at a frequency, in the unit of the poles' frequency.
    public func decibels(at frequency: Double) -> Double {
        let ratio = frequency / poles.frequency
        let numerator: Double =
            switch zeros {
            case .none: 1
            case .oneAtZero: ratio * ratio / (poles.q * poles.q)
            case .twoAtZero: ratio * ratio * ratio * ratio
            case .pair(let pair): pair.squaredMagnitude(at: frequency)
            }
        return 10 * Maths.log(max(1e-30, gain * gain * numerator / poles.squaredMagnitude(at: frequency))) / Maths.log(10.0)
    }

    /// A frequency in radians a frame, and sin² of half of it.
    private struct Node {
        let frequency: Double
        let x: Double
        static var eighth: Node { @_noLocks get { Node(frequency: .pi / 4, x: 0.146_446_609_406_726_24) } }
        static var quarter: Node { @_noLocks get { Node(frequency: .pi / 2, x: 0.5) } }
    }

    /// The ratio of the analogue to the digital squared magnitude at a node, without the gain.
    @_noLocks private func correction(_ digital: DigitalPair, _ node: Node) -> Double {
        let poleRatio = digital.squaredMagnitude(x: node.x) / poles.squaredMagnitude(at: node.frequency)
        let zeroRatio = node.frequency * node.frequency / 4 / node.x
        switch zeros {
        case .none: return poleRatio
        case .oneAtZero: return poleRatio * zeroRatio
        case .twoAtZero: return poleRatio * zeroRatio * zeroRatio
        case .pair(let pair):
            let matched = pair.matched.squaredMagnitude(x: node.x)
            return poleRatio * pair.squaredMagnitude(at: node.frequency) / matched
        }
    }

    /// The numerator n0 + n1·S + n2·S² in the S of the poles, with the gain.
    @_noLocks private func numerator(over digital: DigitalPair) -> (Double, Double, Double) {
        let g = digital.gain
        switch zeros {
        case .none: return (gain, gain * 2 * g, gain * g * g)
        case .oneAtZero:
            let scale = gain * 2 / (poles.frequency * poles.q)
            return (0, scale * g, scale * g * g)
        case .twoAtZero: return (0, 0, gain * 4 * g * g / (poles.frequency * poles.frequency))
        case .pair(let pair):
            let matched = pair.matched
            let ratio = g / matched.gain
            return (gain, gain * matched.damping * ratio, gain * ratio * ratio)
        }
    }
}
