// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gaps and clicks are found where they are, and music has none. Any thread.

import AudioFiles
import Demonstration
import Testing

@testable import Listening

@Suite struct FaultTests {
    @Test func aGapOfTwentyMillisecondsIsFound() throws {
        let facts = try heard { frame, _ in (72_000..<72_960).contains(frame) ? 0 : sine(440, frame, decibels: -12) }.facts
        #expect(facts.silenceCount == 1)
        let gap = try #require(facts.silences.first)
        #expect(abs(gap.seconds - 1.5) < 0.0001 && abs(gap.lengthSeconds - 0.02) < 0.0001, "\(gap)")
    }

    @Test func shortGapsAndSilenceAtTheEndsAreNotToldOf() throws {
        let facts = try heard { frame, _ in
            frame < 20_000 || frame > 100_000 || (72_000..<72_400).contains(frame) ? 0 : sine(440, frame, decibels: -12)
        }.facts
        #expect(facts.silenceCount == 0)
    }

    @Test func aGapInOneChannelIsNoSilence() throws {
        let facts = try heard { frame, channel in
            channel == 0 && (72_000..<82_000).contains(frame) ? 0 : sine(440, frame, decibels: -12)
        }.facts
        #expect(facts.silenceCount == 0)
    }

    @Test(arguments: [72_000, 47, 143_900, 71_999]) func aClickIsFoundAtItsFrame(frame: Int) throws {
        let facts = try heard { index, channel in
            sine(440, index, decibels: -12) + (channel == 1 && index == frame ? 0.3 : 0)
        }.facts
        #expect(facts.clickCount == 1)
        let click = try #require(facts.clicks.first)
        #expect(abs(click.frame - frame) <= 1 && click.channel == "FR" && click.size > 0.2, "\(click)")
    }

    @Test func aLostBlockIsAClick() throws {
        let facts = try heard(channels: 1) { index, _ in sine(440, index < 72_000 ? index : index + 70, decibels: -12) }.facts
        #expect(facts.clickCount == 1 && abs((facts.clicks.first?.frame ?? 0) - 72_000) <= 1)
    }

    @Test func clicksAtEachBlockAreAllFound() throws {
        let facts = try heard(seconds: 2, channels: 1) { index, _ in
            sine(220, index, decibels: -12) + (index > 0 && index % 1024 == 0 ? 0.2 : 0)
        }.facts
        #expect(facts.clickCount == 93, "\(facts.clickCount)")
    }

    @Test(arguments: [50.0, 440, 3000, 15_000]) func tonesHaveNoClicks(hertz: Double) throws {
        let facts = try heard { index, _ in sine(hertz, index, decibels: -1) }.facts
        #expect(facts.clickCount == 0 && facts.silenceCount == 0)
    }

    @Test func noiseAndSquareWavesHaveNoClicks() throws {
        var noise = Noise()
        #expect(try heard { _, _ in noise.next() }.facts.clickCount == 0)
        #expect(try heard { index, _ in index % 800 < 400 ? 0.5 : -0.5 }.facts.clickCount == 0)
    }

    @Test func aToneThatBeginsHasNoClick() throws {
        let facts = try heard { index, _ in index < 50_000 ? 0 : sine(440, index - 50_000, decibels: -12) }.facts
        #expect(facts.clickCount == 0)
    }

    @Test func drumsHaveNoClicksAndOneMoreIsFound() throws {
        let loop = try DrumLoop().render()
        let rate = loop.sampleRate
        let seconds = Double(loop.frameCount) / rate
        let clean = try heard(seconds: seconds, rate: rate) { frame, channel in Double(loop[channel][frame]) }.facts
        #expect(clean.clickCount == 0, "\(clean.clicks)")
        // Drums hide some of them.
        let places = stride(from: 0.31, to: seconds, by: 0.31).map { Int($0 * rate) }
        let spoilt = try heard(seconds: seconds, rate: rate) { frame, channel in
            Double(loop[channel][frame]) + (places.contains(frame) ? 0.7 : 0)
        }.facts
        #expect(spoilt.clickCount >= places.count && spoilt.clickCount <= 2 * places.count, "\(spoilt.clickCount) \(places.count)")
        #expect(spoilt.clicks.allSatisfy { click in places.contains { abs($0 - click.frame) <= 1 } })
    }
}
