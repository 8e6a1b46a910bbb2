// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares what was played with what a listener heard. Main thread.

import AudioFiles
import Realtime

/// A recording beside the samples that were played.
struct Recording {
    let heard: LoadedAudio
    /// Frames of the recording before the first that was played.
    let offset: Int
    /// Frames that both have, and how many of them differ by more than a 24-bit step.
    let comparedFrameCount: Int
    let differingFrameCount: Int

    private static let audible: Float = 1e-5
    private static let tolerance: Float = 1.2e-7

    /// Finds `played` in `heard` by its first audible sample. Nil when one of them is silent.
    init?(_ heard: LoadedAudio, of played: AudioBlock) {
        guard let first = heard.withBlock(Self.onset), let start = Self.onset(of: played), heard.channelCount > 0 else {
            return nil
        }
        self.heard = heard
        offset = first - start
        let count = min(played.frameCount, heard.frameCount - offset)
        comparedFrameCount = max(0, count)
        differingFrameCount = Self.differences(heard, played, offset: offset, count: count)
    }

    private static func onset(of block: AudioBlock) -> Int? {
        (0..<block.frameCount).first { frame in
            (0..<block.channelCount).contains { abs(block[$0][frame]) > audible }
        }
    }

    private static func differences(_ heard: LoadedAudio, _ played: AudioBlock, offset: Int, count: Int) -> Int {
        heard.withBlock { heard in
            (max(0, -offset)..<max(0, count)).count { frame in
                (0..<min(heard.channelCount, played.channelCount)).contains {
                    abs(heard[$0][frame + offset] - played[$0][frame]) > tolerance
                }
            }
        }
    }
}

/// The largest difference between neighbouring samples of a stretch.
enum LargestStep {
    static func of(_ block: AudioBlock, from start: Int, to end: Int) -> Float {
        var largest: Float = 0
        for channel in 0..<block.channelCount {
            for frame in max(1, start)..<max(1, min(end, block.frameCount)) {
                largest = max(largest, abs(block[channel][frame] - block[channel][frame - 1]))
            }
        }
        return largest
    }
}
