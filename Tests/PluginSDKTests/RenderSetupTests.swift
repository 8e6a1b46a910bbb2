// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Times as frames, for times that a parameter or a file may hold. Test thread.

import PluginSDK
import Testing

@Suite struct RenderSetupTests {
    @Test(arguments: [
        (0.5, 24_000), (0.000_01, 0), (0.000_011, 1), (-1, -48_000), (.infinity, 1 << 53), (-.infinity, -1 << 53), (.nan, 0),
        (1e300, 1 << 53),
    ])
    func everyTimeHasFrames(seconds: Double, frames: Int) {
        let setup = RenderSetup(sampleRate: 48_000, maximumFrameCount: 64, inputs: [], outputs: [BusFormat(channelCount: 2)])
        #expect(setup.frameCount(seconds: seconds) == frames)
    }
}
