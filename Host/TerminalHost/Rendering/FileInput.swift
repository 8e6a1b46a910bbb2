// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A file as the input of an engine in manual rendering mode. The thread that renders.

import AudioFiles
import AudioGraph

/// A file, block by block, followed by silence.
final class FileInput: OfflineSource, @unchecked Sendable {
    // SAFETY: only the thread that renders uses it.
    private let reader: AudioFileReader
    /// The length in the header, until the end shows the real one.
    private(set) var frameCount: Int
    private var failure: (any Error)?
    private(set) var isAudible = false
    private(set) var invalidSampleCount = 0

    init(_ reader: AudioFileReader) {
        self.reader = reader
        frameCount = reader.format.frameCount
    }

    /// Fills a block with the next frames.
    func fill(_ block: AudioBlock) -> Bool {
        let wanted = min(block.frameCount, frameCount - reader.position)
        do {
            let count = wanted > 0 ? try reader.read(into: block.channels, frameCount: wanted) : 0
            if count < wanted { frameCount = reader.position }
            block.silence(from: count)
            if !block.isFinite { mend(block) }
            isAudible = isAudible || block.isAudible
        } catch {
            failure = error
            block.silence()
        }
        return true
    }

    /// Replaces NaN and infinity by 0, and counts them.
    private func mend(_ block: AudioBlock) {
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount where !block[channel][frame].isFinite {
                block[channel][frame] = 0
                invalidSampleCount += 1
            }
        }
    }

    func throwFailure() throws { if let failure { throw failure } }

    func settle() throws { try throwFailure() }
}
