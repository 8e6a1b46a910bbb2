// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Channels of every number and kind are measured: with speakers, without, and far beyond full scale. Any thread.

import AudioFormats
import Testing

@testable import Listening

@Suite struct ChannelTests {
    private func names(_ count: Int, _ layout: ChannelLayout?) throws -> [String] {
        try heard(seconds: 0.1, channels: count, layout: layout) { frame, _ in sine(440, frame, decibels: -12) }.facts.channels.map(
            \.name)
    }

    @Test(arguments: 1...32) func channelsWithoutSpeakersHaveNumbers(count: Int) throws {
        #expect(try names(count, .discrete(count)) == (1...count).map { "\($0)" })
        let usual = ChannelLayout.usual(count)?.speakers.map(\.name)
        #expect(try names(count, nil) == usual ?? (1...count).map { "\($0)" })
    }

    @Test func speakersHaveTheirNamesAndChannelsBeyondThemNumbers() throws {
        #expect(try names(6, .usual(6)) == ["FL", "FR", "FC", "LFE", "RL", "RR"])
        #expect(try names(24, ChannelLayout(mask: 0x3FFFF))[17...] == ["TRR", "19", "20", "21", "22", "23", "24"])
    }

    @Test(arguments: [Float.greatestFiniteMagnitude, 1e30, 1e-30])
    func samplesOfAnyMagnitudeAreMeasuredAndDrawn(sample: Float) throws {
        let sound = try heard(seconds: 1, columns: ListenPicture.columnCount, hasSpectra: true) { frame, _ in
            frame % 97 < 48 ? Double(sample) : -Double(sample)
        }
        let levels = [sound.facts.whole.peakDBFS, sound.facts.whole.truePeakDBTP, sound.facts.whole.rmsDBFS]
        #expect(levels.allSatisfy { $0?.isFinite == true } && sound.facts.clicks.allSatisfy { $0.size.isFinite })
        let picture = try ListenPicture(sound, title: "any", plots: SoundPlot.allCases).draw(as: .svg)
        #expect(String(decoding: picture, as: UTF8.self).hasSuffix("</svg>\n"))
    }
}
