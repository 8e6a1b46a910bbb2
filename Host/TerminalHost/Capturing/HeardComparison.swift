// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares a replay with the recorded output, bit by bit. Main thread.

import AudioFiles
import Realtime

/// A comparison of rendered blocks with a file, from its first frame on.
struct HeardComparison: ~Copyable {
    private let heard: AudioFileReader
    private var buffer: AudioBuffer
    private var frame = 0
    /// The first frame whose bits differ; nil without a difference.
    private(set) var firstDifference: Int?
    /// The number of frames that the file lacks.
    private(set) var missingFrameCount = 0

    init(_ heard: AudioFileReader) {
        self.heard = heard
        buffer = AudioBuffer(channelCount: heard.format.channelCount, frameCapacity: 8192)
    }

    /// Compares the next block, of at most 8192 frames.
    mutating func compare(_ block: AudioBlock) throws {
        let other = buffer.block(frameCount: block.frameCount)
        let wanted = min(block.frameCount, heard.format.frameCount - heard.position)
        let count = wanted > 0 ? try heard.read(into: other.channels, frameCount: wanted) : 0
        missingFrameCount += block.frameCount - count
        if firstDifference == nil {
            firstDifference = (0..<count).first { index in
                (0..<block.channelCount).contains { block[$0][index].bitPattern != other[$0][index].bitPattern }
            }.map { frame + $0 }
        }
        frame += block.frameCount
    }
}
