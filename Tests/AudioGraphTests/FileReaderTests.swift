// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that no thread can read ahead: they end early and say why. Test thread.

import AudioFiles
import Glibc
import HostingTestSupport
import LinuxSystem
import TestSupport
import Testing

@testable import AudioGraph

@Suite struct FileReaderTests {
    private let folder = ScratchFolder()
    private let player = AudioPlayerNode()

    private func file(_ frameCount: Int) throws -> AudioFile {
        let path = folder.file("long.wav")
        let buffer = try Sounds.ramp(frameCount)
        let file = try AudioFile(forWriting: path, format: buffer.format)
        try file.write(from: buffer)
        try file.close()
        return try AudioFile(forReading: path)
    }

    @Test func filesThatNoThreadReadsEndEarlyAndSayWhy() throws {
        let readers = FileReaders { _ throws(SystemError) in throw SystemError("start thread", code: EAGAIN) }
        let file = try file(480_000)
        let feed = FileFeed(channelCount: 2, sampleRate: Sounds.rate, player: player.source)
        let piece = try #require(feed.append(file, from: 0, 480_000, continues: false))
        // The beginning is read by the call itself.
        feed.begin(readers)
        let written = piece.frames.pointee.written.load(ordering: .relaxed)
        #expect(piece.isReady && written > 0 && written < 480_000)
        #expect(piece.failure == .system(path: file.path, act: .read, code: EAGAIN))
        // The next file tries again, and fails by itself.
        let next = try #require(feed.append(file, from: 0, 48_000, continues: false))
        feed.begin(readers)
        #expect(next.isReady && next.failure == piece.failure)
    }
}
