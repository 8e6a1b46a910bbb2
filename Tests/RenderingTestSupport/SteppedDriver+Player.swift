// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A stepped driver that has been started. Test thread.

import Rendering

extension SteppedDriver {
    /// Starts a driver of `player`, which must outlive it.
    package convenience init(playing player: PlanPlayer, channelCount: Int, maximumFrameCount: Int, sampleRate: Double) {
        self.init(channelCount: channelCount, maximumFrameCount: maximumFrameCount, sampleRate: sampleRate)
        start(player.callback)
    }
}
