// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a copy keeps of a file: the kind of its samples, their bits, its tags and its place in time; and pipes.

import Foundation
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
        let folder = try TemporaryFolder()
        let steps = stride(from: Int16.min, through: .max, by: 7).map { Float($0) / 32_768 }
        #expect(try copy(steps, to: folder.path("a.\(name)"), .int16) == steps)
        let fine = (0..<5000).map { Float($0 * 3331 % (1 << 24) - (1 << 23)) / Float(1 << 23) }
        #expect(try copy(fine, to: folder.path("b.\(name)"), .int24) == fine)
        #expect(try AudioFileReader(path: folder.path("a.\(name)")).encoding == .int16)
    }

    /// A sine of a third of a step: without dither it would be silence, with it the tone is there, and no harmonic of it.
    @Test func ditherKeepsWhatIsSmallerThanAStep() throws {
        let folder = try TemporaryFolder()
        let count = 1 << 16
        let sine = (0..<count).map { Float(sin(2 * .pi * 1000 * Double($0) / 48_000)) / 3 / 32_768 }
        let stored = try copy(sine, to: folder.path("d.wav"), .int16)
        func level(_ hertz: Double) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for (frame, sample) in stored.enumerated() {
                let angle = 2 * .pi * hertz * Double(frame) / 48_000
                real += Double(sample) * cos(angle)
                imaginary += Double(sample) * sin(angle)
            }
            return (real * real + imaginary * imaginary).squareRoot() * 2 / Double(count) * 32_768
        }
        #expect(abs(level(1000) - 1.0 / 3) < 0.02)
        #expect(level(3000) < 0.02 && level(5000) < 0.02)
        let again = try copy(sine, to: folder.path("e.wav"), .int16)
        #expect(again == stored)
        // Silence stays silent.
        #expect(try copy([Float](repeating: 0, count: 1000), to: folder.path("s.wav"), .int16).allSatisfy { $0 == 0 })
    }

    @Test(arguments: ["wav", "flac", "ogg", "aiff"]) func tagsTravel(name: String) throws {
        let folder = try TemporaryFolder()
        var metadata = AudioFileMetadata()
        metadata.tags = [.title: "Nächtliche Probe", .artist: "Bulkhead"]
        let path = folder.path("t.\(name)")
        _ = try copy([0.5, 0.25], to: path, nil, metadata)
        let read = try AudioFileReader(path: path).metadata
        #expect(read.tags[.title] == "Nächtliche Probe" && read.tags[.artist] == "Bulkhead")
        #expect(read.timeReference == nil)
    }

    @Test func theTimeReferenceOfABroadcastWaveTravels() throws {
        let folder = try TemporaryFolder()
        var metadata = AudioFileMetadata()
        metadata.broadcast = [UInt8](repeating: 0, count: MemoryLayout<SF_BROADCAST_INFO>.size)
        metadata.timeReference = 5_000_000_123
        let path = folder.path("b.wav")
        _ = try copy([0.5, 0.25], to: path, nil, metadata)
        #expect(try AudioFileReader(path: path).metadata.timeReference == 5_000_000_123)
    }

    @Test func aPipeIsReadToItsEnd() throws {
        let folder = try TemporaryFolder()
        let whole = try copy((0..<50_000).map { Float($0 % 100) / 100 }, to: folder.path("a.wav"))
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))
        let thread = Thread { try? bytes.write(to: URL(fileURLWithPath: pipe), options: []) }
        thread.start()
        let audio = try LoadedAudio.load(pipe, takesPipes: true)
        #expect(withExtendedLifetime(audio) { Array(audio[0]) } == whole)
        #expect(throws: AudioFileError.notRegular(path: pipe, act: .read)) { try AudioFileReader(path: pipe) }
    }
}
