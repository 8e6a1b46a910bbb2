// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a copy keeps of a file: the kind of its samples, their bits, its tags and its place in time; and pipes.

import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct KeepingTests {
    private func copy(
        _ samples: [Float], to path: String, _ encoding: SampleEncoding? = nil, _ metadata: AudioFileMetadata = AudioFileMetadata()
    ) throws -> [Float] {
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1, encoding: encoding, metadata: metadata)
        var samples = samples
        try samples.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress!
            try writer.write(&base, frameCount: buffer.count)
        }
        try writer.finish()
        let audio = try LoadedAudio.load(path)
        return withExtendedLifetime(audio) { Array(audio[0]) }
    }

    @Test(arguments: ["wav", "flac", "aiff", "caf"]) func samplesThatTheFormatHoldsKeepTheirBits(name: String) throws {
        let folder = ScratchFolder()
        let steps = stride(from: Int16.min, through: .max, by: 7).map { Float($0) / 32_768 }
        #expect(try copy(steps, to: folder.file("a.\(name)"), .int16) == steps)
        let fine = (0..<5000).map { (frame: Int) -> Float in Float(frame * 3331 % 0x100_0000 - 0x80_0000) / 0x80_0000 }
        #expect(try copy(fine, to: folder.file("b.\(name)"), .int24) == fine)
        #expect(try AudioFileReader(path: folder.file("a.\(name)")).encoding == .int16)
    }

    /// A sine of a third of a step: without dither it would be silence, with it the tone is there, and no harmonic of it.
    @Test func ditherKeepsWhatIsSmallerThanAStep() throws {
        let folder = ScratchFolder()
        let count = 1 << 16
        let sine = (0..<count).map { Float(sin(2 * .pi * 1000 * Double($0) / 48_000)) / 3 / 32_768 }
        let stored = try copy(sine, to: folder.file("d.wav"), .int16)
        var spectrum = stored
        func level(_ hertz: Double) -> Double {
            spectrum.withUnsafeMutableBufferPointer { Signals.amplitude(of: hertz, in: $0, rate: 48_000) } * 32_768
        }
        #expect(abs(level(1000) - 1.0 / 3) < 0.02)
        #expect(level(3000) < 0.02 && level(5000) < 0.02)
        let again = try copy(sine, to: folder.file("e.wav"), .int16)
        #expect(again == stored)
        // Silence stays silent.
        #expect(try copy([Float](repeating: 0, count: 1000), to: folder.file("s.wav"), .int16).allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff"]) func tagsTravel(name: String) throws {
        let folder = ScratchFolder()
        var metadata = AudioFileMetadata()
        metadata.tags = [.title: "Nächtliche Probe", .artist: "Bulkhead"]
        let path = folder.file("t.\(name)")
        _ = try copy([0.5, 0.25], to: path, nil, metadata)
        let read = try AudioFileReader(path: path).metadata
        #expect(read.tags[.title] == "Nächtliche Probe" && read.tags[.artist] == "Bulkhead")
        #expect(read.timeReference == nil)
    }

    @Test func theTimeReferenceOfABroadcastWaveTravels() throws {
        let folder = ScratchFolder()
        var metadata = AudioFileMetadata()
        metadata.timeReference = 5_000_000_123
        let path = folder.file("b.wav")
        _ = try copy([0.5, 0.25], to: path, nil, metadata)
        #expect(try AudioFileReader(path: path).metadata.timeReference == 5_000_000_123)
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let folder = ScratchFolder()
        let whole = try copy((0..<50_000).map { Float($0 % 100) / 100 }, to: folder.file("a.wav"))
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.wav")))
        let thread = Thread { try? bytes.write(to: URL(fileURLWithPath: pipe), options: []) }
        thread.start()
        let audio = try LoadedAudio.load(pipe, takesPipes: true)
        #expect(withExtendedLifetime(audio) { Array(audio[0]) } == whole)
        #expect(throws: AudioFileError.notRegular(path: pipe, act: .read)) { try AudioFileReader(path: pipe) }
    }
}
