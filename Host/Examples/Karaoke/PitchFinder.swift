// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the pitch of a voice, and the name of its note. Any thread.

import Glibc

/// Finds the pitch of a voice in pieces of its sound, by the YIN method.
///
/// A. de Cheveigné, H. Kawahara: YIN, a fundamental frequency estimator for speech and music. J. Acoust. Soc. Am. 111 (4), 2002.
struct PitchFinder {
    let sampleRate: Double
    /// The range of pitches in hertz.
    static let pitches = 65.0...1000
    /// The allowed difference between a period and the next one, from 0 to 1.
    static let threshold = 0.15
    /// A sound below this level is not a voice.
    static let quietest: Float = 0.01

    /// The pitch in hertz; nil in silence, and for a sound without a period.
    func pitch(of samples: UnsafePointer<Float>, frameCount: Int) -> Double? {
        let longest = Int(sampleRate / Self.pitches.lowerBound)
        let window = frameCount - longest - 1
        guard window > longest / 2 else { return nil }
        guard (0..<frameCount).contains(where: { abs(samples[$0]) > Self.quietest }) else { return nil }
        let differences = normalizedDifferences(samples, window: window, longest: longest)
        let shortest = Int(sampleRate / Self.pitches.upperBound)
        guard var lag = (shortest..<longest).first(where: { differences[$0] < Self.threshold }) else { return nil }
        while lag + 1 < longest, differences[lag + 1] < differences[lag] { lag += 1 }
        return sampleRate / (Double(lag) + vertex(differences[lag - 1], differences[lag], differences[lag + 1]))
    }

    /// The difference between the sound and itself after each lag; 1 is the mean difference of shorter lags.
    private func normalizedDifferences(_ samples: UnsafePointer<Float>, window: Int, longest: Int) -> [Double] {
        var (differences, sum) = ([Double](repeating: 1, count: longest + 1), 0.0)
        for lag in 1...longest {
            var difference: Float = 0
            for frame in 0..<window {
                let step = samples[frame] - samples[frame + lag]
                difference += step * step
            }
            sum += Double(difference)
            differences[lag] = sum > 0 ? Double(difference) * Double(lag) / sum : 1
        }
        return differences
    }

    /// The lowest point of a parabola through three values, from the middle one on.
    private func vertex(_ before: Double, _ middle: Double, _ after: Double) -> Double {
        let bend = before + after - 2 * middle
        return bend > 0 ? (before - after) / (2 * bend) : 0
    }
}

/// The name of the nearest note with its octave: A4 is 440 Hz.
func noteName(ofPitch pitch: Double) -> String {
    let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    let number = Int((69 + 12 * log2(pitch / 440)).rounded())
    return "\(names[number % 12])\(number / 12 - 1)"
}
