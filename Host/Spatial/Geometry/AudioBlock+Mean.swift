// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes one point of the channels of a source. Render thread.

import Realtime

extension AudioBlock {
    /// Writes the mean of all channels; there is at least one.
    @_noLocks
    func writeMean(to point: UnsafeMutablePointer<Float>) {
        let (first, share) = (self[0], 1 / Float(channelCount))
        for frame in 0..<frameCount { point[frame] = first[frame] * share }
        for channel in 1..<max(1, channelCount) {
            let samples = self[channel]
            for frame in 0..<frameCount { point[frame] += samples[frame] * share }
        }
    }
}
