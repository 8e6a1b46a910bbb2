// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares the played samples with a recording. Main thread.

import AudioFiles
import Realtime

/// A recording beside the played samples.
struct Recording {
    let heard: LoadedAudio
    /// The frames of the recording before the first played one.
    let offset: Int
    /// The frames that both have, and the number of them that differ by more than a 24-bit step.
    private(set) var comparedFrameCount = 0
    private(set) var differingFrameCount = 0
    /// The frames that the recording lacks: whole cycles for which the recorder was late.
    private(set) var missingFrameCount = 0
    /// The frames that only the recording has: whole cycles that the graph ran without Bulkhead.
    private(set) var insertedFrameCount = 0

    private static let audible: Float = 1e-5
    private static let tolerance: Float = 1.2e-7
    private static let longestGap = 8192
    /// The number of equal frames that prove where the recording continues after a gap.
    private static let witnessFrameCount = 64

    /// Aligns `heard` with `played` by the first audible sample.
    ///
    /// Nil if one of them is silent.
    init?(_ heard: LoadedAudio, of played: AudioBlock) {
        guard let first = heard.withBlock(Self.onset), let start = Self.onset(of: played), heard.channelCount > 0 else {
            return nil
        }
        self.heard = heard
        offset = first - start
        heard.withBlock { compare($0, played) }
    }

    private static func onset(of block: AudioBlock) -> Int? {
        (0..<block.frameCount).first { frame in
            (0..<block.channelCount).contains { abs(block[$0][frame]) > audible }
        }
    }

    private mutating func compare(_ heard: AudioBlock, _ played: AudioBlock) {
        var (frame, shift, wasEqual) = (max(0, -offset), offset, true)
        while frame < played.frameCount, frame + shift < heard.frameCount {
            let isEqual = Self.isEqual(heard, frame + shift, played, frame)
            if !isEqual, wasEqual, let gap = Self.gap(heard, frame + shift, played, frame) {
                missingFrameCount += gap
                (frame, shift) = (frame + gap, shift - gap)
                continue
            }
            if !isEqual, wasEqual, let gap = Self.gap(played, frame, heard, frame + shift) {
                insertedFrameCount += gap
                shift += gap
                continue
            }
            comparedFrameCount += 1
            if !isEqual { differingFrameCount += 1 }
            (frame, wasEqual) = (frame + 1, isEqual)
        }
    }

    /// The number of frames after which `longer` continues as the other, if it does.
    private static func gap(_ shorter: AudioBlock, _ frame: Int, _ longer: AudioBlock, _ longerFrame: Int) -> Int? {
        let last = min(longestGap, longer.frameCount - longerFrame - witnessFrameCount)
        guard frame + witnessFrameCount <= shorter.frameCount, last > 0 else { return nil }
        return (1...last).first { gap in
            (0..<witnessFrameCount).allSatisfy { isEqual(shorter, frame + $0, longer, longerFrame + gap + $0) }
        }
    }

    private static func isEqual(_ heard: AudioBlock, _ heardFrame: Int, _ played: AudioBlock, _ playedFrame: Int) -> Bool {
        (0..<min(heard.channelCount, played.channelCount)).allSatisfy {
            abs(heard[$0][heardFrame] - played[$0][playedFrame]) <= tolerance
        }
    }
}

extension Recording {
    /// The comparison as a sentence for people.
    var sentence: String {
        let counts = "\(comparedFrameCount) frames, \(differingFrameCount) of them different"
        let missing = missingFrameCount == 0 ? "" : "; \(missingFrameCount) more are missing from the recording"
        let inserted =
            insertedFrameCount == 0 ? "" : "; \(insertedFrameCount) more were inserted when the graph ran without Bulkhead"
        return counts + missing + inserted
    }
}

/// The largest difference between neighbouring samples of a range.
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
