// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Analogue filters, straight from their transfer functions: the reference for measured responses. Test thread.

import Foundation

/// (n2·s² + n1·s + n0) / (d2·s² + d1·s + d0) with s = j·f/f0.
struct AnaloguePrototype {
    let numerator: (n2: Double, n1: Double, n0: Double)
    let denominator: (d2: Double, d1: Double, d0: Double)
    /// Hertz.
    let frequency: Double

    func decibels(at frequency: Double) -> Double {
        let s = frequency / self.frequency
        func power(_ two: Double, _ one: Double, _ zero: Double) -> Double {
            (zero - two * s * s) * (zero - two * s * s) + one * s * one * s
        }
        let above = power(numerator.n2, numerator.n1, numerator.n0)
        return 10 * log10(above / power(denominator.d2, denominator.d1, denominator.d0))
    }

    static func lowPass(_ frequency: Double, q: Double) -> AnaloguePrototype {
        AnaloguePrototype(numerator: (0, 0, 1), denominator: (1, 1 / q, 1), frequency: frequency)
    }

    static func highPass(_ frequency: Double, q: Double) -> AnaloguePrototype {
        AnaloguePrototype(numerator: (1, 0, 0), denominator: (1, 1 / q, 1), frequency: frequency)
    }

    static func bandPass(_ frequency: Double, q: Double) -> AnaloguePrototype {
        AnaloguePrototype(numerator: (0, 1 / q, 0), denominator: (1, 1 / q, 1), frequency: frequency)
    }

    static func bandStop(_ frequency: Double, q: Double) -> AnaloguePrototype {
        AnaloguePrototype(numerator: (1, 0, 1), denominator: (1, 1 / q, 1), frequency: frequency)
    }

    static func peak(_ frequency: Double, q: Double, gain: Double) -> AnaloguePrototype {
        let a = pow(10, gain / 40)
        return AnaloguePrototype(numerator: (1, a / q, 1), denominator: (1, 1 / (a * q), 1), frequency: frequency)
    }

    static func lowShelf(_ frequency: Double, q: Double, gain: Double) -> AnaloguePrototype {
        let a = pow(10, gain / 40)
        let slope = a.squareRoot() / q
        return AnaloguePrototype(numerator: (a, a * slope, a * a), denominator: (a, slope, 1), frequency: frequency)
    }

    static func highShelf(_ frequency: Double, q: Double, gain: Double) -> AnaloguePrototype {
        let a = pow(10, gain / 40)
        let slope = a.squareRoot() / q
        return AnaloguePrototype(numerator: (a * a, a * slope, a), denominator: (1, slope, a), frequency: frequency)
    }

    /// The same filter under the bilinear transform, matched at its own frequency, which this project avoids.
    func bilinear(at frequency: Double, sampleRate: Double) -> Double {
        decibels(at: self.frequency * tan(.pi * frequency / sampleRate) / tan(.pi * self.frequency / sampleRate))
    }

    /// The largest difference to a measured impulse response.
    ///
    /// It counts frequencies up to a quarter of the sample rate at which the prototype lets through more than −80 dB.
    func worstError(of response: [Float], sampleRate: Double) -> Double {
        var frequencies = Spectrum.frequencies(from: 10, to: sampleRate / 4, count: 40)
        frequencies += [0.97, 1, 1.03].map { frequency * $0 }.filter { $0 < sampleRate / 4 }
        let errors = frequencies.filter { decibels(at: $0) > -80 }.map {
            abs(Spectrum.decibels(response, at: $0, sampleRate: sampleRate) - decibels(at: $0))
        }
        return errors.max() ?? 0
    }
}
