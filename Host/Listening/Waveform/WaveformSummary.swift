// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A summary of audio for each column of a picture. Control thread.

import Realtime

/// The lowest, the highest and the mean-square sample of each column, over all channels.
///
/// NaN counts as silence and infinity as a very large number, so that a picture is always possible.
package struct WaveformSummary {
    let columns: [WaveformColumn]

    /// Takes columns unchanged.
    package init(_ columns: [WaveformColumn]) { self.columns = columns }

    /// Splits the block into `count` columns; a column narrower than one frame shows that frame.
    init(_ audio: AudioBlock, columnCount count: Int) {
        columns = (0..<max(0, count)).map { column in
            guard audio.frameCount > 0, audio.channelCount > 0 else { return WaveformColumn() }
            let start = Self.frame(ofColumn: column, of: count, audio.frameCount)
            let end = Self.frame(ofColumn: column + 1, of: count, audio.frameCount)
            return Self.measure(audio, start..<min(audio.frameCount, max(start + 1, end)))
        }
    }

    /// The largest magnitude.
    var peak: Float { columns.reduce(0) { max($0, max(-$1.least, $1.greatest)) } }

    /// The magnitude at full height: the given one, or otherwise the peak.
    func scale(_ asked: Float?) -> Float {
        let scale = asked ?? peak
        return scale.isFinite && scale > 1e-9 ? scale : 1
    }

    private static func frame(ofColumn column: Int, of count: Int, _ frameCount: Int) -> Int {
        // Cannot trap: at most the number of frames.
        Int(Double(column) * Double(frameCount) / Double(count))
    }

    private static func measure(_ audio: AudioBlock, _ frames: Range<Int>) -> WaveformColumn {
        (0..<audio.channelCount).reduce(into: WaveformColumn()) { column, channel in
            column.take(frames.lazy.map { tame(audio[channel][$0]) })
        }
    }

    private static func tame(_ sample: Float) -> Float { sample.isNaN ? 0 : min(1e9, max(-1e9, sample)) }
}
