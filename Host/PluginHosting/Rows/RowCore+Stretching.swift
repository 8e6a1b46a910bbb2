// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Stands in for a unit that stretches time. Render thread.

import Realtime

extension RowCore {
    /// Repeats or drops frames of a unit's input, so that it has as many frames as the unit renders.
    @_noLocks
    mutating func stretch(_ input: AudioBlock, over frameCount: Int) {
        units[0].pointee.inputFrameCount = input.frameCount
        let output = stretched.block(frameCount: frameCount)
        for channel in 0..<output.channelCount {
            for frame in 0..<frameCount {
                output[channel][frame] = input.frameCount > 0 ? input[channel][frame &* input.frameCount / frameCount] : 0
            }
        }
        (cleanInput, hasCleanInput) = (output, true)
    }
}
