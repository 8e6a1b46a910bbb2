// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A tremolo: the smallest node of your own, with three lines of sound. Render thread.

import AudioGraph

/// Lowers its input by half, five times a second.
///
/// It has no state, because its position follows from the time. So it needs no set-up and no reset.
struct Tremolo: AudioProcessor {
    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        for frame in 0..<block.frameCount {
            let gain = 0.75 + 0.25 * Float(Maths.sin(10 * .pi * Double(block.sampleTime + Int64(frame)) / block.sampleRate))
            for channel in 0..<block.output.channelCount { block.output[channel][frame] = gain * block.input[channel][frame] }
        }
    }
}
