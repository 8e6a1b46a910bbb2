// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where samples lie, and which geometries a peer may state. Test thread.

import Testing
import Wire

@Suite struct AudioMemoryLayoutTests {
    @Test func theExampleOfTheSpecificationIsRight() throws {
        let layout = try #require(AudioMemoryLayout(slotCount: 2 as UInt32, channelCount: 2, frameStride: 256))
        #expect(layout.byteCount == 4096)
        #expect(layout.sampleOffset(slot: 1, channel: 0) * 4 == 2048)
        #expect(layout.sampleOffset(slot: 1, channel: 1) * 4 == 3072)
    }

    @Test func channelsStartOnCacheLinesAndNeverOverlap() {
        for frames in [1, 15, 16, 17, 100, 65536] {
            let layout = AudioMemoryLayout(slotCount: 4, channelCount: 3, maximumFrameCount: frames)
            let starts = (0..<4).flatMap { slot in (0..<3).map { layout.sampleOffset(slot: slot, channel: $0) } }
            #expect(starts.allSatisfy { $0 % 16 == 0 })
            #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= frames })
            #expect((starts.last! + frames) * 4 <= layout.byteCount)
        }
    }

    @Test func aPeerCannotStateWhatTheProtocolForbids() {
        #expect(AudioMemoryLayout(slotCount: 0 as UInt32, channelCount: 2, frameStride: 16) == nil)
        #expect(AudioMemoryLayout(slotCount: 65 as UInt32, channelCount: 2, frameStride: 16) == nil)
        #expect(AudioMemoryLayout(slotCount: 2 as UInt32, channelCount: 65, frameStride: 16) == nil)
        #expect(AudioMemoryLayout(slotCount: 2 as UInt32, channelCount: 2, frameStride: 0) == nil)
        #expect(AudioMemoryLayout(slotCount: 2 as UInt32, channelCount: 2, frameStride: 17) == nil)
        #expect(AudioMemoryLayout(slotCount: 2 as UInt32, channelCount: 2, frameStride: 65552) == nil)
        #expect(AudioMemoryLayout(slotCount: 64 as UInt32, channelCount: 64, frameStride: 65536)?.byteCount == 1 << 30)
    }
}
