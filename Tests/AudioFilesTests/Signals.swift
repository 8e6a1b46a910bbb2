// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Signals to write and the measures to compare them by. Test thread.

import AudioFiles
import Glibc
import TestSupport

enum Signals {
    static func sine(
        _ hertz: Double, level: Double, rate: Double, frameCount: Int, channelCount: Int = 1
    ) -> LoadedAudio {
        let audio = LoadedAudio(channelCount: channelCount, frameCount: frameCount, sampleRate: rate)!
        for channel in 0..<channelCount {
            for frame in 0..<frameCount {
                audio[channel][frame] = Float(level * sin(2 * .pi * hertz * Double(frame) / rate + Double(channel)))
            }
        }
        return audio
    }

    static func noise(seed: UInt64, channelCount: Int, frameCount: Int, rate: Double = 48_000) -> LoadedAudio {
        print("seed \(seed)")
        var generator = SeededRandom(seed: seed)
        let audio = LoadedAudio(channelCount: channelCount, frameCount: frameCount, sampleRate: rate)!
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { audio[channel][frame] = Float.random(in: -1...1, using: &generator) }
        }
        return audio
    }

    /// The amplitude of one frequency, by correlation with it over whole periods.
    static func amplitude(of hertz: Double, in samples: UnsafeMutableBufferPointer<Float>, rate: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let phase = 2 * .pi * hertz * Double(frame) / rate
            real += Double(sample) * cos(phase)
            imaginary += Double(sample) * sin(phase)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    static func save(_ audio: LoadedAudio, to path: String) throws(AudioFileError) {
        let writer = try AudioFileWriter(path: path, sampleRate: audio.sampleRate, channelCount: audio.channelCount)
        try writer.write(audio)
        try writer.finish()
    }

    static func bits(_ audio: LoadedAudio, _ channel: Int) -> [UInt32] { audio[channel].map(\.bitPattern) }
}
