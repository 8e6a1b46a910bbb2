// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound written in each format and read back. Test thread.

import AudioFiles
import Glibc
import TestSupport
import Testing

@Suite struct RoundTripTests {
    let folder = ScratchFolder()

    @Test(arguments: ["wav", "rf64", "w64", "caf", "aifc", "au"], [1, 2, 32])
    func floatFormatsKeepEveryBit(name: String, channelCount: Int) throws {
        let audio = Signals.noise(seed: 7, channelCount: channelCount, frameCount: 10_001)
        try Signals.save(audio, to: folder.file("a." + name))
        let back = try LoadedAudio.load(folder.file("a." + name))
        #expect(back.frameCount == 10_001 && back.channelCount == channelCount && back.sampleRate == 48_000)
        for channel in 0..<channelCount { #expect(Signals.bits(back, channel) == Signals.bits(audio, channel)) }
    }

    @Test(arguments: ["flac", "aiff"])
    func fixedPointFormatsStayWithinOneStepOf24Bits(name: String) throws {
        let audio = Signals.noise(seed: 8, channelCount: 2, frameCount: 20_000, rate: 96_000)
        try Signals.save(audio, to: folder.file("a." + name))
        let back = try LoadedAudio.load(folder.file("a." + name))
        #expect(back.frameCount == audio.frameCount)
        for channel in 0..<2 {
            let worst = zip(back[channel], audio[channel]).map { abs($0 - $1) }.max()!
            #expect(worst <= 1 / 8_388_608)
        }
    }

    @Test(arguments: ["ogg", "opus", "mp3"])
    func lossyFormatsKeepASineToWithinATenthOfADecibel(name: String) throws {
        try #require(AudioFileWriter.knownExtensions.contains(name))
        let audio = Signals.sine(1000, level: 0.5, rate: 48_000, frameCount: 96_000, channelCount: 2)
        try Signals.save(audio, to: folder.file("a." + name))
        let back = try LoadedAudio.load(folder.file("a." + name))
        #expect(abs(back.frameCount - 96_000) <= 2400)
        let level = Signals.amplitude(of: 1000, in: .init(rebasing: back[0][24_000..<72_000]), rate: 48_000)
        #expect(abs(20 * log10(level / 0.5)) < 0.1, "level \(level)")
    }

    @Test func floatWAVKeepsWhatIsNoNumberAndBeyondFullScale() throws {
        let audio = LoadedAudio(channelCount: 1, frameCount: 5, sampleRate: 44_100)!
        for (frame, value) in [Float.nan, .infinity, -.infinity, 1e30, -0.0].enumerated() { audio[0][frame] = value }
        try Signals.save(audio, to: folder.file("a.wav"))
        #expect(Signals.bits(try LoadedAudio.load(folder.file("a.wav")), 0) == Signals.bits(audio, 0))
    }

    @Test(arguments: ["flac", "aiff", "ogg", "opus", "mp3"])
    func encodersSurviveWhatIsNoNumber(name: String) throws {
        let audio = Signals.noise(seed: 9, channelCount: 2, frameCount: 30_000)
        for frame in 0..<30_000 {
            audio[0][frame] = [Float.nan, .infinity, -.infinity, 1e38, 0.5][frame % 5]
        }
        try Signals.save(audio, to: folder.file("a." + name))
        let back = try LoadedAudio.load(folder.file("a." + name))
        #expect(back[0].allSatisfy { $0.isFinite } && back[1].allSatisfy { $0.isFinite })
    }

    @Test func aSmallWAVIsPlainRIFFAndEqualAudioMakesEqualFiles() throws {
        let audio = Signals.noise(seed: 10, channelCount: 2, frameCount: 1000)
        try Signals.save(audio, to: folder.file("a.wav"))
        usleep(1_100_000)  // Past the next second, which a header might note.
        try Signals.save(audio, to: folder.file("b.wav"))
        #expect(folder.read("a.wav").prefix(4) == Array("RIFF".utf8)[...])
        #expect(folder.read("a.wav") == folder.read("b.wav"))
    }

    @Test func readingInPiecesAndSeekingGivesTheSameFrames() throws {
        let audio = Signals.noise(seed: 11, channelCount: 3, frameCount: 9000)
        try Signals.save(audio, to: folder.file("a.flac"))
        let whole = try LoadedAudio.load(folder.file("a.flac"))
        let reader = try AudioFileReader(path: folder.file("a.flac"))
        let piece = LoadedAudio(channelCount: 3, frameCount: 6000, sampleRate: 48_000)!
        try reader.seek(toFrame: 4321)
        #expect(try reader.read(into: piece.channels, frameCount: 6000) == 9000 - 4321)
        #expect(piece[2][100] == whole[2][4421])
        #expect(try reader.read(into: piece.channels, frameCount: 6000) == 0)
        #expect(throws: AudioFileError.seekOutside(path: reader.path, frame: 9001, frameCount: 9000)) {
            try reader.seek(toFrame: 9001)
        }
    }

    @Test func progressRisesToOne() throws {
        try Signals.save(Signals.noise(seed: 12, channelCount: 2, frameCount: 200_000), to: folder.file("a.wav"))
        var shares: [Double] = []
        _ = try LoadedAudio.load(folder.file("a.wav"), sampleRate: 44_100, quality: .medium) { shares.append($0) }
        #expect(shares == shares.sorted() && shares.last == 1 && shares.count > 5)
    }
}
