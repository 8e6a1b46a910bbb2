// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buffers: their limits, and their way through files. Test thread.

import AudioFiles
import AudioGraph
import FoundationEssentials
import HostingTestSupport
import Testing

@Suite struct BufferTests {
    @Test(arguments: [0, -1, 1 << 40, .max]) func aBufferThatCannotBeIsNil(frameCapacity: Int) {
        #expect(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: frameCapacity) == nil)
    }

    @Test func theLengthStaysWithinTheCapacity() throws {
        let buffer = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: 10))
        #expect(buffer.frameLength == 0)
        buffer.frameLength = 11
        #expect(buffer.frameLength == 10)
        buffer.frameLength = -1
        #expect(buffer.frameLength == 0)
    }

    @Test func aBufferGoesIntoAFileAndComesBack() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let buffer = try Sounds.ramp(1000)
        let writer = try AudioFileWriter(path: path, sampleRate: Sounds.rate, channelCount: 2)
        try writer.write(buffer)
        #expect(throws: AudioFileError.self) { try writer.write(try Sounds.ramp(10, channelCount: 1)) }
        try writer.finish()
        let read = try AudioPCMBuffer(contentsOf: path)
        #expect(read.format == Sounds.format() && read.frameLength == 1000)
        for channel in 0..<2 {
            #expect((0..<1000).allSatisfy { read.samples[channel][$0] == buffer.samples[channel][$0] })
        }
        #expect(throws: AudioFileError.missing(path: "nowhere.wav")) { try AudioPCMBuffer(contentsOf: "nowhere.wav") }
    }
}
