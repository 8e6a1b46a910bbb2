// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A voice and a room that are the same on every run, for the tests of the voice processor. Test thread.

import Foundation

/// A sound like speech: glottal pulses through the formants of vowels, in syllables with pauses between phrases.
package struct SyntheticSpeech {
    private let seed: UInt64
    private let pitch: Double
    private let sampleRate: Double
    private let peak: Float

    /// Makes a voice; `pitch` is the mean in hertz, `peak` the largest sample.
    package init(seed: UInt64, pitch: Double = 120, sampleRate: Double = 48_000, peak: Float = 0.5) {
        (self.seed, self.pitch, self.sampleRate, self.peak) = (seed, pitch, sampleRate, peak)
    }

    /// The centres of three formants in hertz, for each vowel.
    private static let vowels: [[Double]] = [
        [730, 1090, 2440], [270, 2290, 3010], [300, 870, 2240], [530, 1840, 2480], [570, 840, 2410],
    ]
    private static let bandwidths = [90.0, 110, 170]
    private static let syllableSeconds = 0.22
    /// The number of syllables in a phrase, the last of which are silent.
    private static let (phrase, pause) = (7, 2)

    /// The speech from the beginning on.
    package func samples(seconds: Double) -> [Float] {
        let count = Int(seconds * sampleRate)
        let syllableLength = Int(Self.syllableSeconds * sampleRate)
        let breath = SeededNoise(seed: seed, amplitude: 1).samples(count)
        let choices = SeededNoise(seed: seed &+ 1, amplitude: 1).samples(count / syllableLength + 1)
        var resonators = Self.bandwidths.map { Resonator(bandwidth: $0, sampleRate: sampleRate) }
        var (phase, result) = (0.0, [Float](repeating: 0, count: count))
        for frame in 0..<count {
            let (syllable, offset) = frame.quotientAndRemainder(dividingBy: syllableLength)
            let choice = Double(choices[syllable])
            if offset == 0 { tune(&resonators, choice) }
            let share = Double(offset) / Double(syllableLength)
            let isSilent = syllable % Self.phrase >= Self.phrase - Self.pause
            let envelope = isSilent ? 0 : pow(sin(.pi * share), 0.7) * (0.75 + 0.25 * choice)
            phase += pitch * (1 + 0.12 * choice - 0.08 * share) / sampleRate
            let pulse = phase >= 1 ? 1.0 : 0
            if phase >= 1 { phase -= 1 }
            let source = envelope * (pulse + 0.02 * Double(breath[frame]))
            result[frame] = Float(resonators.indices.reduce(0.0) { $0 + resonators[$1].next(source) / Double($1 + 1) })
        }
        let largest = result.reduce(0) { max($0, abs($1)) }
        return result.map { $0 * peak / largest }
    }

    private func tune(_ resonators: inout [Resonator], _ choice: Double) {
        let vowel = Self.vowels[min(Self.vowels.count - 1, Int((choice + 1) / 2 * Double(Self.vowels.count)))]
        for index in resonators.indices { resonators[index].tune(to: vowel[index]) }
    }
}

/// A resonance of two poles.
private struct Resonator {
    private let radius: Double
    private let sampleRate: Double
    private var coefficient = 0.0
    private var (last, beforeLast) = (0.0, 0.0)

    init(bandwidth: Double, sampleRate: Double) {
        radius = exp(-.pi * bandwidth / sampleRate)
        self.sampleRate = sampleRate
    }

    mutating func tune(to frequency: Double) { coefficient = 2 * radius * cos(2 * .pi * frequency / sampleRate) }

    mutating func next(_ input: Double) -> Double {
        let output = input + coefficient * last - radius * radius * beforeLast
        (beforeLast, last) = (last, output)
        return output
    }
}

/// A room between a loudspeaker and a microphone: noise that decays by 60 dB, after the delay of the path.
package struct SyntheticRoom {
    private let seed: UInt64
    private let sampleRate: Double
    private let delaySeconds: Double
    private let decaySeconds: Double
    private let gain: Float

    /// Makes a room; `gain` is the level of the echo relative to the loudspeaker's sound, as a factor.
    package init(
        seed: UInt64, sampleRate: Double = 48_000, delaySeconds: Double = 0.01, decaySeconds: Double = 0.12, gain: Float = 0.5
    ) {
        (self.seed, self.sampleRate, self.gain) = (seed, sampleRate, gain)
        (self.delaySeconds, self.decaySeconds) = (delaySeconds, decaySeconds)
    }

    /// The microphone's signal for a sound.
    package func echo(of sound: [Float]) -> [Float] {
        let (delay, length) = (Int(delaySeconds * sampleRate), Int(decaySeconds * sampleRate))
        var response = SeededNoise(seed: seed, amplitude: 1).samples(length)
        for index in response.indices { response[index] *= Float(pow(0.001, Double(index) / Double(length))) }
        let scale = gain / response.reduce(0) { $0 + $1 * $1 }.squareRoot()
        for index in response.indices { response[index] *= scale }
        var echo = [Float](repeating: 0, count: sound.count)
        echo.withUnsafeMutableBufferPointer { echo in
            for (frame, sample) in sound.enumerated() where sample != 0 && frame + delay < echo.count {
                let start = frame + delay
                for index in 0..<min(length, echo.count - start) { echo[start + index] += sample * response[index] }
            }
        }
        return echo
    }
}
