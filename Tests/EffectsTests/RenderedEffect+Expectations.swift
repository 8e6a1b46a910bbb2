// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Expectations that hold for every effect. Test thread.

import TestSupport
import Testing

extension RenderedEffect {
    /// Expects a reset in the middle of noise to forget all of it, and the noise to sound on without a reset.
    func expectResetToForget(frameCount: Int = 4096) throws {
        var random = Seed()
        let noise = Signal.noise(amplitude: 0.5, frameCount: frameCount, random: &random)
        let fresh = try render(noise)
        var disturbed = self
        disturbed.resetSeconds = Double(frameCount) / sampleRate
        #expect(try Array(disturbed.render(noise + noise)[frameCount...]) == fresh)
        disturbed.resetSeconds = nil
        #expect(try Array(disturbed.render(noise + noise)[frameCount...]) != fresh)
    }

    /// Expects each of several channels to sound as it does alone.
    func expectSeparateChannels(_ count: Int, frameCount: Int = 4096) throws {
        var random = Seed()
        let noise = (0..<count).map { _ in Signal.noise(amplitude: 0.5, frameCount: frameCount, random: &random) }
        var wide = self
        wide.channelCount = count
        let together = try wide.render(noise)
        for channel in 0..<count { #expect(try together[channel] == render(noise[channel])) }
    }
}
