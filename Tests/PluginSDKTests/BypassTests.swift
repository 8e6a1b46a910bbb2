// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypassing a unit that has no input to pass through. Test thread.

import Realtime
import Testing

@testable import PluginSDK

@Suite struct BypassTests {
    @Test func aBypassedGeneratorIsSilent() {
        var bypass = Bypass(channelCount: 0, maximumFrameCount: 64, latencyFrameCount: 0, sampleRate: 48_000)
        bypass.set(true)
        let nothing = AudioBuffer(channelCount: 0, frameCapacity: 64)
        let output = AudioBuffer(channelCount: 1, frameCapacity: 64)
        let block = output.block(frameCount: 64)
        // Left over from an earlier block.
        for frame in 0..<64 { block[0][frame] = 1 }
        bypass.process(input: nothing.block(frameCount: 0), output: block)
        #expect(block.peak(ofChannel: 0) == 0)
    }

    @Test func aGeneratorFadesToSilenceWhenItIsBypassed() {
        var bypass = Bypass(channelCount: 0, maximumFrameCount: 480, latencyFrameCount: 0, sampleRate: 48_000)
        bypass.set(false)
        bypass.set(true)
        let nothing = AudioBuffer(channelCount: 0, frameCapacity: 1)
        let output = AudioBuffer(channelCount: 1, frameCapacity: 480)
        let block = output.block(frameCount: 480)
        for frame in 0..<480 { block[0][frame] = 1 }
        bypass.process(input: nothing.block(frameCount: 0), output: block)
        #expect(block[0][0] == 1 && abs(block[0][240] - 0.5) < 0.001 && abs(block[0][479] - 1 / 480) < 1e-6)
        for frame in 0..<480 { block[0][frame] = 1 }
        bypass.process(input: nothing.block(frameCount: 0), output: block)
        #expect(block[0][0] == 0 && block[0][479] == 0)
    }
}
