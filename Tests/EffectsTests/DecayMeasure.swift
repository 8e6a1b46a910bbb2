// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures of a room's impulse response: decay time, echo density, likeness of the ears. Test thread.

import Foundation

/// Measures of an impulse response, which starts at its first sample.
struct DecayMeasure {
    let samples: [Double]
    let sampleRate: Double

    init(_ samples: [Float], sampleRate: Double) {
        self.samples = samples.map(Double.init)
        self.sampleRate = sampleRate
    }

    /// T60 in seconds from T30: a straight line through −5…−35 dB of Schroeder's backward integral.
    ///
    /// Source: M. Schroeder, *New method of measuring reverberation time*, JASA 1965; ISO 3382-1.
    func decayTime(octaveBand center: Double? = 1000) -> Double {
        Self.decayTime(ofEnergies: energies(octaveBand: center), sampleRate: sampleRate)
    }

    /// Squares of the samples, in the octave around `center` hertz or broadband.
    func energies(octaveBand center: Double?) -> [Double] {
        guard let center else { return samples.map { $0 * $0 } }
        var band = samples
        let width = center / 2.squareRoot()
        for _ in 0..<2 { band = Self.bandPass(band, center: center, width: width, sampleRate: sampleRate) }
        return band.map { $0 * $0 }
    }

    static func decayTime(ofEnergies energies: [Double], sampleRate: Double) -> Double {
        var sum = 0.0
        let levels = energies.reversed().map { energy -> Double in
            sum += energy
            return sum
        }.reversed().map { 10 * log10($0 / sum) }
        let points = levels.enumerated().filter { $0.element <= -5 && $0.element >= -35 }
        let count = Double(points.count)
        let meanTime = points.reduce(0) { $0 + Double($1.offset) } / count
        let meanLevel = points.reduce(0) { $0 + $1.element } / count
        let slope =
            points.reduce(0) { $0 + (Double($1.offset) - meanTime) * ($1.element - meanLevel) }
            / points.reduce(0) { $0 + (Double($1.offset) - meanTime) * (Double($1.offset) - meanTime) }
        return -60 / (slope * sampleRate)
    }

    /// The echo density, one value a millisecond.
    ///
    /// It is the share of samples outside the standard deviation of a 20 ms window, over that of Gaussian noise.
    /// Source: J. Abel, P. Huang, *A simple, robust measure of reverberation echo density*, AES 121st Convention, 2006.
    func echoDensities(until seconds: Double) -> [Double] {
        let half = Int(0.01 * sampleRate)
        let window = (0...2 * half).map { 0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 1) / Double(2 * half + 2)) }
        let total = window.reduce(0, +)
        return (0..<Int(seconds * 1000)).map { millisecond in
            let middle = Int(Double(millisecond) * 0.001 * sampleRate)
            let near = (middle - half...middle + half).map { $0 >= 0 && $0 < samples.count ? samples[$0] : 0 }
            let deviation = (zip(near, window).reduce(0) { $0 + $1.0 * $1.0 * $1.1 } / total).squareRoot()
            return zip(near, window).reduce(0) { $0 + (abs($1.0) > deviation ? $1.1 : 0) } / total / 0.3173
        }
    }

    /// The correlation coefficient of two responses.
    static func correlation(_ left: ArraySlice<Float>, _ right: ArraySlice<Float>) -> Double {
        let both = zip(left, right).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        let energies = [left, right].map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
        return both / (energies[0] * energies[1]).squareRoot()
    }

    /// A band-pass with unit gain in the middle.
    ///
    /// Source: R. Bristow-Johnson's cookbook.
    private static func bandPass(_ input: [Double], center: Double, width: Double, sampleRate: Double) -> [Double] {
        let angle = 2 * Double.pi * center / sampleRate
        let alpha = sin(angle) * width / center / 2
        let gain = alpha / (1 + alpha)
        let (first, second) = (-2 * cos(angle) / (1 + alpha), (1 - alpha) / (1 + alpha))
        var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
        return input.map { x in
            let y = gain * (x - x2) - first * y1 - second * y2
            (x1, x2, y1, y2) = (x, x1, y, y1)
            return y
        }
    }
}
