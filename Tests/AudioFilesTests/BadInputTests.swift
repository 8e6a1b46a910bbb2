// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sound files that cannot be read: each gets a sentence that names the reason. Test thread.

import AudioFiles
import Glibc
import TestSupport
import Testing

@Suite struct BadInputTests {
    let folder = ScratchFolder()

    private func sentence(_ path: String) -> String {
        do { return "read \(try LoadedAudio.load(path).frameCount) frames" } catch { return error.description }
    }

    @Test func aMissingFileIsCalledMissing() {
        #expect(
            sentence("/no/where.wav")
                == #"Couldn't read "/no/where.wav": there is no such file; check its name and folder."#)
        #expect(sentence("").contains("no such file"))
        #expect(sentence("a\0b.wav").contains(#""a\u{0}b.wav": there is no such file"#))
    }

    @Test func aFolderIsCalledAFolder() {
        #expect(sentence(folder.path).hasSuffix("it is a folder; name a file in it."))
    }

    @Test func aDeviceOrPipeIsRefusedWithoutWaiting() {
        mkfifo(folder.file("pipe.wav"), 0o600)
        #expect(sentence("/dev/zero").contains("a device, pipe or socket"))
        #expect(sentence(folder.file("pipe.wav")).contains("a device, pipe or socket"))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func aFileThatMayNotBeReadSaysSo() {
        let path = folder.write("a.wav", WaveBytes().bytes)
        chmod(path, 0)
        #expect(sentence(path).contains("permission denied"))
    }

    @Test func anEmptyFileIsCalledEmpty() {
        #expect(sentence(folder.write("a.wav", [])).contains("it is empty (0 bytes)"))
    }

    @Test func textIsNotAudio() {
        #expect(sentence(folder.write("a.wav", Array("just words\n".utf8))).contains("isn't an audio file"))
    }

    @Test func aHeaderWithoutAudioHoldsNoFrames() {
        #expect(sentence(folder.write("a.wav", WaveBytes(audio: []).bytes)).contains("0 frames"))
    }

    @Test func aCutWAVStatesWhatIsThereAndWhatWasPromised() {
        let cut = Array(WaveBytes().bytes.dropLast(1000))
        #expect(sentence(folder.write("a.wav", cut)).contains("cut short, with 3000 of 4000 bytes"))
        let header = Array(WaveBytes().bytes.prefix(30))
        #expect(sentence(folder.write("b.wav", header)).contains("cut short"))
    }

    @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFFF, 0x7FFF_F000, 0x8000_0000] as [UInt32])
    func aStreamedWAVOfUnknownLengthIsRead(promised: UInt32) {
        #expect(sentence(folder.write("a.wav", WaveBytes(promisedByteCount: promised).bytes)) == "read 1000 frames")
    }

    @Test(arguments: ["aiff", "aifc", "caf", "w64", "rf64", "au", "flac"])
    func everyFormatWithAStatedLengthTellsWhenItIsCut(name: String) throws {
        try Signals.save(Signals.noise(seed: 3, channelCount: 2, frameCount: 50_000), to: folder.file("a." + name))
        let bytes = folder.read("a." + name)
        let text = sentence(folder.write("b." + name, Array(bytes.prefix(bytes.count / 2))))
        #expect(text.contains("cut short"), "\(text)")
    }

    @Test(arguments: [0, 33, 2000]) func aChannelCountBeyondTheLimitIsNamed(count: Int) {
        let text = sentence(folder.write("a.wav", WaveBytes(channelCount: count).bytes))
        #expect(text.contains("\(count) channels, and 1 to 32 are supported"), "\(text)")
    }

    @Test(arguments: [0, 1, 1_000_000, .max] as [UInt32]) func aRateBeyondTheLimitsIsNamed(rate: UInt32) {
        let text = sentence(folder.write("a.wav", WaveBytes(sampleRate: rate).bytes))
        #expect(text.contains("\(Int32(truncatingIfNeeded: rate)) Hz, and 8000 to 768000 Hz"), "\(text)")
    }

    @Test func anUnknownEncodingIsASentence() {
        #expect(sentence(folder.write("a.wav", WaveBytes(encoding: 0x1234).bytes)).hasPrefix("Couldn't read"))
    }

    @Test func aNameCannotSteerTheTerminal() {
        #expect(!sentence("/no/\u{1B}[2J.wav").contains("\u{1B}"))
    }
}
