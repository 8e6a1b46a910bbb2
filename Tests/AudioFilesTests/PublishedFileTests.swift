// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that are right while they are written. Test thread.

import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct PublishedFileTests {
    private let folder = ScratchFolder()

    private func write(_ frames: Int, to writer: AudioFileWriter) throws {
        var samples = (0..<frames).map { Float($0 % 100) / 200 }
        try samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            try withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>.self, capacity: 1) { pointers in
                pointers[0] = base
                try writer.write(UnsafePointer(pointers.baseAddress!), frameCount: frames)
            }
        }
    }

    @Test(arguments: ["wav", "aiff", "caf", "w64", "rf64", "au"]) func aPublishedFileIsRightBeforeItsEnd(name: String) throws {
        let path = folder.file("take.\(name)")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1)
        #expect(!FileManager.default.fileExists(atPath: path))
        try writer.publish()
        for round in 1...3 {
            try write(10_000, to: writer)
            let audio = try LoadedAudio.load(path)
            #expect(audio.frameCount == 10_000 * round && abs(audio[0][9999] - 0.495) < 1e-4)
        }
        try writer.finish()
        #expect(try LoadedAudio.load(path).frameCount == 30_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["take.\(name)"])
    }

    @Test(arguments: ["flac", "ogg"]) func anEncodedFileHasMostOfItsSoundBeforeItsEnd(name: String) throws {
        let path = folder.file("take.\(name)")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1)
        try writer.publish()
        try write(480_000, to: writer)
        let count = try LoadedAudio.load(path).frameCount
        #expect(count > 480_000 - 48_000, "\(count)")
        try writer.finish()
        #expect(try LoadedAudio.load(path).frameCount == 480_000)
    }

    @Test func anAbandonedFileKeepsWhatItHas() throws {
        let path = folder.file("take.wav")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1)
        try writer.publish()
        try write(10_000, to: writer)
        writer.abandon()
        #expect(try LoadedAudio.load(path).frameCount == 10_000)
    }

    @Test func aFileThatIsNotPublishedIsCancelled() throws {
        let writer = try AudioFileWriter(path: folder.file("take.wav"), sampleRate: 48_000, channelCount: 1)
        try write(10_000, to: writer)
        writer.abandon()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
