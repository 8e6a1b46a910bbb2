// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The outline of a sound, in the columns of a picture. Main thread.

import Realtime

/// The lowest and the highest sample of each column, and its power, for each channel.
package struct WaveformColumns: Sendable {
    /// The columns of each channel.
    package private(set) var channels: [[WaveformColumn]]
    private let expectedFrameCount: Int
    private var frame = 0
    private var columnCount: Int { channels.first?.count ?? 0 }

    init(channelCount: Int, frameCount: Int, columnCount: Int) {
        channels = Array(repeating: Array(repeating: WaveformColumn(), count: columnCount), count: channelCount)
        expectedFrameCount = max(1, frameCount)
    }

    /// Takes a block, all of whose samples are finite.
    mutating func take(_ block: AudioBlock) {
        guard columnCount > 0 else { return }
        var start = 0
        while start < block.frameCount {
            let column = min(columnCount - 1, (frame + start) * columnCount / expectedFrameCount)
            // The first frame of the next column.
            let next = ((column + 1) * expectedFrameCount + columnCount - 1) / columnCount
            let end = column == columnCount - 1 ? block.frameCount : min(block.frameCount, max(start + 1, next - frame))
            for channel in 0..<channels.count {
                channels[channel][column].take(UnsafeBufferPointer(start: block[channel] + start, count: end - start))
            }
            start = end
        }
        frame += block.frameCount
    }

    /// All channels joined to one.
    package var joined: [WaveformColumn] {
        (0..<columnCount).map { index in
            channels.reduce(into: WaveformColumn()) { $0.join($1[index]) }
        }
    }
}
