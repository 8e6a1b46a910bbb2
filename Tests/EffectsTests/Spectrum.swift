// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Levels at single frequencies, in double precision, and signals to measure with. Test thread.

import Foundation

enum Spectrum {
    /// The Fourier sum of a signal at one frequency in hertz.
    static func transform(
        _ signal: [Float], at frequency: Double, sampleRate: Double
    ) -> (real: Double, imaginary: Double) {
        let angle = 2 * Double.pi * frequency / sampleRate
        let (stepReal, stepImaginary) = (cos(angle), -sin(angle))
        var (real, imaginary, sumReal, sumImaginary) = (1.0, 0.0, 0.0, 0.0)
        signal.withUnsafeBufferPointer { samples in
            for index in 0..<samples.count {
                sumReal += Double(samples[index]) * real
                sumImaginary += Double(samples[index]) * imaginary
                let turned = real * stepReal - imaginary * stepImaginary
                imaginary = real * stepImaginary + imaginary * stepReal
                real = turned
            }
        }
        return (sumReal, sumImaginary)
    }

    static func decibels(_ signal: [Float], at frequency: Double, sampleRate: Double) -> Double {
        let value = transform(signal, at: frequency, sampleRate: sampleRate)
        return 10 * log10(max(1e-30, value.real * value.real + value.imaginary * value.imaginary))
    }

    /// The mean power of a sound in decibels; 0 for a constant 1.
    static func level(_ sound: ArraySlice<Float>) -> Double {
        10 * log10(sound.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(max(1, sound.count)))
    }

    /// The frequency within 5 Hz of `expected` that has the most energy, to a hundredth of a hertz.
    static func frequency(of sound: [Float], near expected: Double, sampleRate: Double) -> Double {
        let windowed = sound.indices.map { index in
            sound[index] * Float(0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(sound.count)))
        }
        var (best, most) = (0.0, -Double.infinity)
        for step in -500...500 {
            let frequency = expected + Double(step) / 100
            let energy = decibels(windowed, at: frequency, sampleRate: sampleRate)
            if energy > most { (best, most) = (frequency, energy) }
        }
        return best
    }

    /// Frequencies in equal steps on a logarithmic scale, both ends included.
    static func frequencies(from low: Double, to high: Double, count: Int) -> [Double] {
        (0..<count).map { low * pow(high / low, Double($0) / Double(count - 1)) }
    }

    /// The highest level between two frequencies in hertz, in any window of 1024 frames, against a sine of amplitude 1.
    ///
    /// The window, Blackman and Harris's of four terms, leaks less than −92 dB.
    static func peak(_ signal: [Float], from low: Double, to high: Double, sampleRate: Double) -> Double {
        let window = (0..<1024).map { index -> Float in
            let phase = 2 * Double.pi * (Double(index) + 0.5) / 1024
            return Float(0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase))
        }
        var highest = -300.0
        for start in stride(from: 0, to: signal.count - 1024, by: 512) {
            let part = (0..<1024).map { signal[start + $0] * window[$0] }
            for frequency in stride(from: low, through: high, by: sampleRate / 1024) {
                highest = max(highest, decibels(part, at: frequency, sampleRate: sampleRate))
            }
        }
        return highest - 20 * log10(1024 * 0.35875 / 2)
    }
}

enum Signal {
    static func sine(_ frequency: Double, amplitude: Double = 0.5, seconds: Double, sampleRate: Double) -> [Float] {
        let angle = 2 * Double.pi * frequency / sampleRate
        return (0..<Int(seconds * sampleRate)).map { Float(amplitude * sin(angle * Double($0))) }
    }

    /// White noise between ±amplitude.
    static func noise(amplitude: Float, frameCount: Int, random: inout some RandomNumberGenerator) -> [Float] {
        (0..<frameCount).map { _ in Float.random(in: -amplitude...amplitude, using: &random) }
    }
}
