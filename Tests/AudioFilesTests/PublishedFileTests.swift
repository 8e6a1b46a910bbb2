// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that are right while they are written. Test thread.

import Foundation
import TestSupport
import Testing

@testable import AudioFiles

@Suite struct PublishedFileTests {
    private let folder = ScratchFolder()

    private static func full(_ writer: AudioFileWriter) -> AudioFileError {
        .diskFull(path: writer.path, written: 40_000, wanted: 44_000)
    }

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
        try writer.abandon(after: Self.full(writer))
        #expect(try LoadedAudio.load(path).frameCount == 10_000)
    }

    @Test func aFileThatIsNotPublishedIsCancelled() throws {
        let writer = try AudioFileWriter(path: folder.file("take.wav"), sampleRate: 48_000, channelCount: 1)
        try write(10_000, to: writer)
        try writer.abandon(after: Self.full(writer))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func anAbandonedFileThatCannotBeKeptSaysSo() throws {
        let path = folder.file("take.wav")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: 1)
        try writer.publish()
        try write(10_000, to: writer)
        // A pipe can be neither cut nor flushed to a disk.
        let pipe = Pipe()
        var file = stat()
        #expect(stat(path, &file) == 0)
        for descriptor in Int32(3)..<1024 {
            var other = stat()
            guard fstat(descriptor, &other) == 0, (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino) else { continue }
            #expect(dup2(pipe.fileHandleForWriting.fileDescriptor, descriptor) == descriptor)
        }
        let full = Self.full(writer)
        let error = #expect(throws: AudioFileError.self) { try writer.abandon(after: full) }
        #expect(error == .notKept(after: full, because: .system(path: path, act: .write, code: EINVAL)))
        #expect(
            error?.description == """
                Couldn't write "\(path)": the disk is full after 40000 bytes (44000 were to be written); free some space or use another \
                disk. What had been written before couldn't be kept: invalid argument; check the disk and try again.
                """)
    }
}
