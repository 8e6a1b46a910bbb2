// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The key, the tuning and the loop that a sound file states for samplers. Control thread.

import CSndFile

/// The facts of a file's chunk for samplers, such as `smpl` in a WAV file.
struct RecordingFacts {
    private enum Direction { case forward, backward, alternating }

    /// The key at the recorded pitch: the file's own, or otherwise middle C.
    let rootKey: Int32
    /// The cents by which the recording is above that key.
    let cents: Int32
    /// The frames of the first loop; empty without one.
    private let loop: Range<Int>
    private let direction: Direction
    /// The number of passes; 0 without end.
    private let passCount: Int

    private static let middleC: Int32 = 60

    init(of file: OpaquePointer, frameCount: Int) {
        let tone = CSndFile_tone(file)
        let isKnown = tone.isStated && (1...127).contains(tone.key)
        (rootKey, cents) = isKnown ? (tone.key, max(-99, min(99, tone.cents))) : (Self.middleC, 0)
        let (start, end) = (Int(tone.loopStart), min(Int(tone.loopEnd), frameCount))
        loop = tone.loopMode != Int32(SF_LOOP_NONE) && start < end ? start..<end : 0..<0
        direction =
            switch tone.loopMode {
            case Int32(SF_LOOP_BACKWARD): .backward
            case Int32(SF_LOOP_ALTERNATING): .alternating
            default: .forward
            }
        passCount = Int(tone.passCount)
    }

    /// Writes out all that the synthesizer cannot loop, and returns the loop that remains, which runs forward without end.
    ///
    /// The synthesizer repeats forward only. So a loop that turns gets its way back, and a loop with an end all its passes, as far as
    /// `limit` frames suffice.
    func unrolled(_ sound: inout [Float], channelCount: Int, atMost limit: Int) -> Range<Int> {
        guard !loop.isEmpty else { return loop }
        func frames(_ range: Range<Int>) -> [Float] {
            Array(sound[range.lowerBound * channelCount..<range.upperBound * channelCount])
        }
        func reversed(_ range: Range<Int>) -> [Float] {
            var samples: [Float] = []
            samples.reserveCapacity(range.count * channelCount)
            for frame in range.reversed() {
                for channel in 0..<channelCount { samples.append(sound[frame * channelCount + channel]) }
            }
            return samples
        }
        let (before, once) = (frames(0..<loop.lowerBound), frames(loop))
        let back = direction == .forward ? [] : reversed(loop)
        let pass = direction == .alternating ? once + back : direction == .backward ? back : once
        let after = frames(loop.upperBound..<sound.count / channelCount)
        let lengths = (before.count + after.count + passCount * pass.count) / channelCount
        if passCount > 0, lengths <= limit {
            sound = before + (0..<passCount).flatMap { _ in pass } + after
            return 0..<0
        }
        guard direction != .forward else { return loop }
        // The first time the loop runs forward in any case.
        let lead = direction == .backward ? before + once : before
        sound = lead + pass
        return lead.count / channelCount..<sound.count / channelCount
    }
}
