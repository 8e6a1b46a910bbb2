// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The outline of a sound, in the columns of a picture. Main thread.

import Realtime

/// The lowest and the highest sample of each column, and its power, for each channel.
package struct WaveformColumns: Sendable {
    /// The values of a column.
    package struct Column: Sendable {
        /// The lowest and the highest sample.
        package var least: Float = 0, greatest: Float = 0
        var squares = 0.0
        var frameCount = 0
        /// The root of the mean square.
        package var level: Float { frameCount > 0 ? Float((squares / Double(frameCount)).squareRoot()) : 0 }
    }

    /// The columns of each channel.
    package private(set) var channels: [[Column]]
    private let expectedFrameCount: Int
    private var frame = 0
    private var columnCount: Int { channels.first?.count ?? 0 }

    init(channelCount: Int, frameCount: Int, columnCount: Int) {
        channels = Array(repeating: Array(repeating: Column(), count: columnCount), count: channelCount)
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

    /// All channels combined.
    package var joined: [Column] {
        (0..<columnCount).map { index in
            channels.reduce(into: Column()) { joined, channel in
                joined.least = min(joined.least, channel[index].least)
                joined.greatest = max(joined.greatest, channel[index].greatest)
                joined.squares += channel[index].squares
                joined.frameCount += channel[index].frameCount
            }
        }
    }
}

extension WaveformColumns.Column {
    fileprivate mutating func take(_ samples: UnsafeBufferPointer<Float>) {
        if frameCount == 0, let first = samples.first { (least, greatest) = (first, first) }
        for sample in samples {
            if sample < least { least = sample }
            if sample > greatest { greatest = sample }
            squares += Double(sample) * Double(sample)
        }
        frameCount += samples.count
    }
}
