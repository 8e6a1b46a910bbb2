// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Written files appear under their name only once they are whole. Test thread.

import Glibc
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct WriterTests {
    let folder = ScratchFolder()

    private func writer(_ name: String, avoidsNameless: Bool = false) throws(AudioFileError) -> AudioFileWriter {
        try AudioFileWriter(
            path: folder.file(name), sampleRate: 48_000, channelCount: 2, avoidsNameless: avoidsNameless)
    }

    private let audio = Signals.sine(440, level: 0.5, rate: 48_000, frameCount: 48_000, channelCount: 2)

    @Test(arguments: [false, true]) func nothingStandsUnderTheNameUntilItIsFinished(avoidsNameless: Bool) throws {
        let writer = try writer("a.wav", avoidsNameless: avoidsNameless)
        try writer.write(audio.channels, frameCount: audio.frameCount)
        #expect(folder.names.allSatisfy { $0.hasPrefix(".a.wav.") } && folder.names.count == (avoidsNameless ? 1 : 0))
        try writer.finish()
        #expect(folder.names == ["a.wav"])
        #expect(try LoadedAudio.load(folder.file("a.wav")).frameCount == 48_000)
    }

    @Test(arguments: [false, true]) func anUnfinishedWriterLeavesNothing(avoidsNameless: Bool) throws {
        do {
            let writer = try writer("a.flac", avoidsNameless: avoidsNameless)
            try writer.write(audio.channels, frameCount: audio.frameCount)
        }
        #expect(folder.names == [])
        try writer("b.flac", avoidsNameless: avoidsNameless).cancel()
        #expect(folder.names == [])
    }

    @Test func aKilledProcessLeavesNothing() async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file("a.wav") as String] in
            let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1)
            try writer.write(Signals.sine(440, level: 0.5, rate: 48_000, frameCount: 48_000))
            kill(getpid(), SIGKILL)
        }
        #expect(folder.names == [])
    }

    @Test func theOldFileStaysUntilTheNewOneIsWhole() throws {
        folder.write("a.wav", [1, 2, 3])
        try writer("a.wav").cancel()
        #expect(folder.read("a.wav") == [1, 2, 3])
        try Signals.save(audio, to: folder.file("a.wav"))
        #expect(folder.read("a.wav").count > 48_000)
    }

    /// A file that only its owner reads stays so.
    @Test(arguments: [0o600, 0o644, 0o640] as [mode_t], [false, true])
    func aReplacedFileKeepsItsPermissions(mode: mode_t, avoidsNameless: Bool) throws {
        folder.write("a.wav", [1, 2, 3])
        try #require(chmod(folder.file("a.wav"), mode) == 0)
        let writer = try writer("a.wav", avoidsNameless: avoidsNameless)
        try writer.write(audio.channels, frameCount: audio.frameCount)
        try writer.finish()
        var status = stat()
        try #require(stat(folder.file("a.wav"), &status) == 0)
        #expect(status.st_mode & 0o777 == mode)
    }

    @Test func aFileIsCommittedOnce() throws {
        let file = try ReplacementFile(path: folder.file("a.txt"))
        try file.commit()
        #expect(throws: AudioFileError.alreadyFinished(path: file.path)) { try file.commit() }
        #expect(folder.names == ["a.txt"])
    }

    @Test func aFinishedWriterTakesNoMore() throws {
        let writer = try writer("a.wav")
        try writer.finish()
        let finished = AudioFileError.alreadyFinished(path: writer.path)
        #expect(throws: finished) { try writer.write(audio.channels, frameCount: 1) }
        #expect(throws: finished) { try writer.finish() }
    }

    /// The library's own serial number is a random one.
    @Test(arguments: ["ogg", "opus", "mp3", "flac", "wav", "aiff"]) func equalAudioMakesEqualFiles(fileExtension: String) throws {
        let names = ["a", "b"].map { "\($0).\(fileExtension)" }
        for name in names { try Signals.save(audio, to: folder.file(name)) }
        #expect(folder.read(names[0]) == folder.read(names[1]) && folder.read(names[0]).count > 1000)
        #expect(try LoadedAudio.load(folder.file(names[0])).frameCount >= audio.frameCount)
    }

    @Test func oggStreamsOfOtherAudioHaveOtherSerialNumbers() throws {
        try Signals.save(audio, to: folder.file("long.ogg"))
        let writer = try writer("short.ogg")
        try writer.write(audio.channels, frameCount: audio.frameCount / 2)
        try writer.finish()
        let serials = ["long.ogg", "short.ogg"].map { Array(folder.read($0)[14..<18]) }
        #expect(serials[0] != serials[1])
    }

    @Test func aLinkStaysALink() throws {
        folder.write("real.wav", [1])
        symlink(folder.file("real.wav"), folder.file("link.wav"))
        try Signals.save(audio, to: folder.file("link.wav"))
        #expect(folder.read("real.wav").count > 48_000)
        var status = stat()
        #expect(lstat(folder.file("link.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func anUnknownExtensionOffersTheKnownOnes() {
        for name in ["a.xyz", "a", ".wav", "wav"] {
            let error = #expect(throws: AudioFileError.self) { try writer(name) }
            #expect(error?.description.contains(".wav .flac") == true)
        }
    }

    @Test func aPlaceThatCantBeWrittenIsNamed() {
        mkdir(folder.file("folder.wav"), 0o700)
        mkfifo(folder.file("pipe.wav"), 0o600)
        let (inFolder, inPipe) = (folder.file("folder.wav"), folder.file("pipe.wav"))
        #expect(throws: AudioFileError.isDirectory(path: inFolder, act: .write)) { try writer("folder.wav") }
        #expect(throws: AudioFileError.notRegular(path: inPipe, act: .write)) { try writer("pipe.wav") }
        let error = #expect(throws: AudioFileError.self) { try writer("none/a.wav") }
        #expect(error?.description.contains("/none\" doesn't exist; create it first") == true)
    }

    @Test func aFormatThatCantHoldTheAudioSaysWhy() {
        let path = folder.file("a.opus")
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileWriter(path: path, sampleRate: 44_100, channelCount: 2)
        }
        #expect(error?.description.contains("2 channels at 44100 Hz") == true)
        #expect(throws: AudioFileError.channelCount(path: path, count: 33, act: .write)) {
            try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 33)
        }
        #expect(folder.names == [])
    }
}
