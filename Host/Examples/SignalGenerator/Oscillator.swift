// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a wave sample by sample, for a source. Render thread.

import AudioGraph

/// The shape of a wave.
enum Wave: Int, CaseIterable, Sendable {
    case sine, square, saw, noise
}

/// A wave of one frequency and amplitude.
///
/// It is a generator: the compiler checks that it neither allocates nor locks while it renders.
struct Oscillator: AudioGenerator, ~Copyable, Sendable {
    private let wave: Int
    private let amplitude: Float
    /// Cycles a frame, below one half.
    private let pace: Double
    /// The position in the cycle, from 0 to 1.
    private var phase = 0.0
    private var seed: UInt32 = 1

    init(_ options: Options, sampleRate: Double) {
        (wave, amplitude, pace) = (options.wave.rawValue, options.amplitude, options.frequency / sampleRate)
    }

    @_noLocks mutating func render(_ output: AudioBlock, at sampleTime: Int64) -> Bool {
        for frame in 0..<output.frameCount {
            let sample = next()
            for channel in 0..<output.channelCount { output[channel][frame] = sample }
        }
        return false
    }

    /// The next sample.
    @_noLocks mutating func next() -> Float {
        let value: Double
        switch wave {
        case 0: value = Maths.sin(2 * .pi * phase)
        case 1: value = (phase < 0.5 ? 1 : -1) + corner(phase) - corner(phase < 0.5 ? phase + 0.5 : phase - 0.5)
        case 2: value = 2 * phase - 1 - corner(phase)
        default: value = noise()
        }
        phase += pace
        if phase >= 1 { phase -= 1 }
        return amplitude * Float(value)
    }

    /// Rounds a step of 2 at phase 0 over two frames, to lower the content above half of the rate.
    @_noLocks private func corner(_ phase: Double) -> Double {
        if phase < pace {
            let part = phase / pace
            return part + part - part * part - 1
        }
        guard phase > 1 - pace else { return 0 }
        let part = (phase - 1) / pace
        return part * part + part + part + 1
    }

    /// White noise, from −1 to 1.
    @_noLocks private mutating func noise() -> Double {
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        return Double(seed) / 2_147_483_648 - 1
    }
}
