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
    /// The played frames with silence in their place: PipeWire hands out silence for a node that came late in a cycle.
    private(set) var silencedFrameCount = 0

    private static let audible: Float = 1e-5
    private static let tolerance: Float = 1.2e-7
    private static let longestGap = 8192
    /// The number of equal frames that prove where both continue after a gap.
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
        (0..<block.frameCount).first { isAudible(block, $0) }
    }

    private mutating func compare(_ heard: AudioBlock, _ played: AudioBlock) {
        var (frame, heardFrame, differing) = (max(0, -offset), max(0, offset), 0)
        while frame < played.frameCount, heardFrame < heard.frameCount {
            let isEqual = Self.isEqual(heard, heardFrame, played, frame)
            if !isEqual, differing % Self.witnessFrameCount == 0, let gap = Gap(heard, heardFrame, played, frame) {
                count(gap)
                (frame, heardFrame, differing) = (frame + gap.played, heardFrame + gap.heard, 0)
                continue
            }
            comparedFrameCount += 1
            differing = isEqual ? 0 : differing + 1
            if !isEqual { differingFrameCount += 1 }
            (frame, heardFrame) = (frame + 1, heardFrame + 1)
        }
    }

    private mutating func count(_ gap: Gap) {
        let silenced = min(gap.played, gap.heard)
        silencedFrameCount += silenced
        missingFrameCount += gap.played - silenced
        insertedFrameCount += gap.heard - silenced
    }

    /// A place after which both continue as one: the frames to leave out of each.
    private struct Gap {
        let played: Int
        let heard: Int

        /// Looks for the shortest gap; silence in the recording belongs to it.
        ///
        /// Nil if there is none.
        init?(_ heardBlock: AudioBlock, _ heardFrame: Int, _ playedBlock: AudioBlock, _ playedFrame: Int) {
            let silent = (heardFrame..<min(heardBlock.frameCount, heardFrame + longestGap))
                .prefix { !isAudible(heardBlock, $0) }.count
            func continues(_ played: Int, _ heard: Int) -> Bool {
                Recording.continues(heardBlock, heardFrame + heard, playedBlock, playedFrame + played)
            }
            if silent > 0, continues(silent, silent) {
                (played, heard) = (silent, silent)
            } else if let missing = (0...longestGap).first(where: { continues($0, silent) }) {
                (played, heard) = (missing, silent)
            } else if let inserted = (1...longestGap).first(where: { continues(0, $0) }) {
                (played, heard) = (0, inserted)
            } else {
                return nil
            }
        }
    }

    /// True if both are the same, and not silent, for as long as a witness is.
    private static func continues(_ heard: AudioBlock, _ heardFrame: Int, _ played: AudioBlock, _ playedFrame: Int) -> Bool {
        guard heardFrame + witnessFrameCount <= heard.frameCount, playedFrame + witnessFrameCount <= played.frameCount else {
            return false
        }
        return (0..<witnessFrameCount).allSatisfy { isEqual(heard, heardFrame + $0, played, playedFrame + $0) }
            && (0..<witnessFrameCount).contains { isAudible(heard, heardFrame + $0) }
    }

    private static func isAudible(_ block: AudioBlock, _ frame: Int) -> Bool {
        (0..<block.channelCount).contains { abs(block[$0][frame]) > audible }
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
        let parts = [
            (silencedFrameCount, "more were silent, in cycles that came late"),
            (missingFrameCount, "more are missing from the recording"),
            (insertedFrameCount, "more were inserted when the graph ran without Bulkhead"),
        ]
        return "\(comparedFrameCount) frames, \(differingFrameCount) of them different"
            + parts.filter { $0.0 > 0 }.map { "; \($0.0) \($0.1)" }.joined()
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
