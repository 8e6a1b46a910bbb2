// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Headers of sound files that lie about lengths, and damaged bytes. Test thread.

import AudioFiles
import TestSupport
import Testing

@Suite struct HostileHeaderTests {
    let folder = ScratchFolder()

    /// A FLAC file that claims `count` frames; STREAMINFO holds the 36-bit count in bytes 21 to 25.
    private func flac(statingFrames count: UInt64) throws -> String {
        try Signals.save(Signals.noise(seed: 4, channelCount: 2, frameCount: 9000), to: folder.file("a.flac"))
        var bytes = folder.read("a.flac")
        bytes[21] = bytes[21] & 0xF0 | UInt8(count >> 32 & 15)
        for index in 0..<4 { bytes[22 + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt64(index))) }
        return folder.write("b.flac", bytes)
    }

    @Test func aStreamThatDoesNotStateItsLengthIsCounted() throws {
        #expect(try AudioFileReader(path: flac(statingFrames: 0)).format.frameCount == 9000)
        #expect(try LoadedAudio.load(folder.file("b.flac")).frameCount == 9000)
    }

    @Test func anAbsurdLengthIsRefusedRatherThanAllocated() throws {
        let path = try flac(statingFrames: 0xF_FFFF_FFFF)
        #expect(throws: AudioFileError.notEnoughMemory(path: path, byteCount: 549_755_813_888)) {
            try LoadedAudio.load(path)
        }
    }

    @Test func aLengthThatIsALieIsFoundOutAtTheEnd() throws {
        let path = try flac(statingFrames: 100_000)
        #expect(throws: AudioFileError.truncatedFrames(path: path, promised: 100_000, present: 9000)) {
            try LoadedAudio.load(path)
        }
    }

    @Test func memoryForImpossibleCountsIsRefused() {
        #expect(LoadedAudio(channelCount: 2, frameCount: .max, sampleRate: 1) == nil)
        #expect(LoadedAudio(channelCount: .max, frameCount: 1000, sampleRate: 1) == nil)
        #expect(LoadedAudio(channelCount: 1, frameCount: -1, sampleRate: 1) == nil)
        #expect(LoadedAudio(channelCount: 1, frameCount: 0, sampleRate: 1)?.frameCount == 0)
    }

    @Test(arguments: ["wav", "rf64", "w64", "aiff", "caf", "au", "flac", "ogg", "opus", "mp3"])
    func damagedBytesGiveAudioOrASentence(name: String) throws {
        try Signals.save(Signals.noise(seed: 5, channelCount: 2, frameCount: 3000), to: folder.file("a." + name))
        let bytes = folder.read("a." + name)
        let seed: UInt64 = 20_260_101
        print("seed \(seed)")
        var generator = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let range = Bool.random(using: &generator) ? 0..<min(120, bytes.count) : 0..<bytes.count
                damaged[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let isCut = Bool.random(using: &generator)
            if isCut { damaged.removeLast(Int.random(in: 0..<damaged.count, using: &generator)) }
            let path = folder.write("b." + name, damaged)
            do { _ = try LoadedAudio.load(path) } catch { #expect(error.description.hasPrefix("Couldn't read")) }
        }
    }
}
