// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the sound of effects after the end of their source, without the silence behind it. Main thread.

import Realtime

/// The end of a rendering, which holds silence back until sound follows.
///
/// It looks at single frames, so that the length of the file does not depend on block sizes.
struct TailWriter {
    private let file: RenderedFile
    /// The frames of silence that end a tail of unknown length.
    private let patience: Int
    private var held: [[Float]]
    /// True once the tail has been silent for long enough.
    private(set) var isOver = false
    /// True if the last frame was not silent.
    var isSounding: Bool { held[0].isEmpty }

    init(_ file: RenderedFile, patience: Int) {
        (self.file, self.patience) = (file, patience)
        held = [[Float]](repeating: [], count: file.channelCount)
    }

    /// Writes the frames of a block from `start` on up to the last audible one, after the frames held back before.
    mutating func write(_ block: AudioBlock, from start: Int) throws {
        var soundEnd = start
        var end = block.frameCount
        for frame in start..<max(start, block.frameCount) {
            if block.isAudible(at: frame) {
                soundEnd = frame + 1
                continue
            }
            let silence = soundEnd > start ? frame + 1 - soundEnd : held[0].count + frame + 1 - start
            guard silence >= patience else { continue }
            (isOver, end) = (true, frame + 1)
            break
        }
        if soundEnd > start {
            try flush()
            try file.write(block, from: start, to: soundEnd)
        }
        for channel in held.indices {
            held[channel] += UnsafeBufferPointer(start: block[channel] + soundEnd, count: end - soundEnd)
        }
    }

    private mutating func flush() throws {
        let count = held[0].count
        guard count > 0 else { return }
        let buffer = AudioBuffer(channelCount: held.count, frameCapacity: count)
        let block = buffer.block(frameCount: count)
        for channel in held.indices {
            for frame in 0..<count { block[channel][frame] = held[channel][frame] }
            held[channel] = []
        }
        try file.write(block, from: 0, to: count)
        withExtendedLifetime(buffer) {}
    }
}

extension AudioBlock {
    /// True if a channel is audible at one frame.
    fileprivate func isAudible(at frame: Int) -> Bool {
        for channel in 0..<channelCount where abs(self[channel][frame]) >= Self.silenceThreshold { return true }
        return false
    }
}
