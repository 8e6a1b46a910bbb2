// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound at another rate: frequency, level, start and length. Test thread.

import AudioFiles
import Glibc
import TestSupport
import Testing

@Suite struct ResamplingTests {
    let folder = ScratchFolder()

    @Test(arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 48_000), (8_000, 192_000), (192_000, 8_000)])
    func aSineKeepsItsFrequencyAndLevel(from: Double, to: Double) throws {
        let audio = Signals.sine(1000, level: 0.5, rate: from, frameCount: Int(from), channelCount: 2)
        try Signals.save(audio, to: folder.file("a.wav"))
        let back = try LoadedAudio.load(folder.file("a.wav"), sampleRate: to, quality: .medium)
        #expect(back.frameCount == Int(to) && back.sampleRate == to)
        let middle = UnsafeMutableBufferPointer(rebasing: back[1][Int(to / 4)..<Int(to * 3 / 4)])
        let level = Signals.amplitude(of: 1000, in: middle, rate: to)
        #expect(abs(20 * log10(level / 0.5)) < 0.01, "level \(level)")
        let power = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
        #expect(abs(power - level * level / 2) / power < 1e-3, "what isn't the sine is 30 dB down at least")
    }

    @Test func theStartStaysInPlace() throws {
        let audio = Signals.sine(1000, level: 0.5, rate: 48_000, frameCount: 24_000)
        try Signals.save(audio, to: folder.file("a.wav"))
        let back = try LoadedAudio.load(folder.file("a.wav"), sampleRate: 96_000)
        for frame in stride(from: 4000, to: 20_000, by: 997) {
            #expect(abs(back[0][2 * frame] - audio[0][frame]) < 1e-4)
        }
    }

    @Test(arguments: [1.0, 1_000_000, .nan, -48_000, .infinity])
    func aRateThatCantBeProcessedIsRefused(rate: Double) throws {
        try Signals.save(Signals.sine(1000, level: 0.5, rate: 48_000, frameCount: 100), to: folder.file("a.wav"))
        let error = #expect(throws: AudioFileError.self) {
            try LoadedAudio.load(folder.file("a.wav"), sampleRate: rate)
        }
        #expect(error?.description.contains("8000 to 768000 Hz") == true)
    }

    @Test func oneFrameSurvives() throws {
        try Signals.save(Signals.noise(seed: 1, channelCount: 1, frameCount: 1), to: folder.file("a.wav"))
        #expect(try LoadedAudio.load(folder.file("a.wav"), sampleRate: 96_000).frameCount == 2)
        #expect(try LoadedAudio.load(folder.file("a.wav"), sampleRate: 8_000).frameCount == 1)
    }
}
