// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Levels and loudness of signals whose numbers are known. Any thread.

import AudioFormats
import Testing

@testable import Listening

@Suite struct LevelTests {
    /// The difference from what is expected; large for nil.
    private func error(_ value: Double?, _ expected: Double) -> Double { abs((value ?? 1e9) - expected) }

    // Cases 1 and 2 of EBU Tech 3341.
    @Test(arguments: [-23.0, -33]) func aStereoToneIsAsLoudAsEBUSays(level: Double) throws {
        let facts = try heard(seconds: 20) { frame, _ in sine(1000, frame, decibels: level) }.facts
        #expect(error(facts.integratedLUFS, level) < 0.1, "\(facts.integratedLUFS ?? 0)")
        #expect(error(facts.momentaryMaximumLUFS, level) < 0.1 && error(facts.shortTermMaximumLUFS, level) < 0.1)
        #expect(error(facts.loudnessRangeLU, 0) < 0.1)
    }

    // Case 3: what is 10 LU below the rest does not count.
    @Test func quietPartsAreGatedAway() throws {
        let facts = try heard(seconds: 80) { frame, _ in
            sine(1000, frame, decibels: (10.0..<70).contains(Double(frame) / 48_000) ? -23 : -36)
        }.facts
        #expect(error(facts.integratedLUFS, -23) < 0.1)
    }

    // Case 1 of EBU Tech 3342: 20 s at -20 and 20 s at -30.
    @Test func theRangeIsWhatEBUSays() throws {
        let facts = try heard(seconds: 40) { frame, _ in sine(1000, frame, decibels: frame < 20 * 48_000 ? -20 : -30) }.facts
        #expect(error(facts.loudnessRangeLU, 10) < 1, "\(facts.loudnessRangeLU ?? 0)")
    }

    @Test func theChannelOfLowFrequenciesDoesNotCountAndThoseBehindCountMore() throws {
        let surround = ChannelLayout.usual(6)
        let low = try heard(channels: 6, layout: surround) { frame, channel in channel == 3 ? sine(1000, frame, decibels: -20) : 0 }
        #expect(low.facts.integratedLUFS == nil)
        let front = try heard(channels: 6, layout: surround) { frame, channel in channel == 0 ? sine(1000, frame, decibels: -20) : 0
        }
        let back = try heard(channels: 6, layout: surround) { frame, channel in channel == 4 ? sine(1000, frame, decibels: -20) : 0
        }
        #expect(error(back.facts.integratedLUFS, (front.facts.integratedLUFS ?? 0) + 1.5) < 0.1)
    }

    /// By Annex 3 of BS.1770 a speaker counts 1.41 times from 60° to 120°, and once elsewhere.
    ///
    /// In 7.1 the speakers at the back stand at 135°.
    @Test(arguments: [([4, 5], -23.0), ([6, 7], -21.5), ([0, 1, 2], -23.0)] as [([Int], Double)])
    func speakersAtTheBackBesideOthersAtTheSideCountOnce(channels: [Int], level: Double) throws {
        for sounding in channels {
            let facts = try heard(channels: 8, layout: .usual(8)) { frame, channel in
                channel == sounding ? sine(1000, frame, decibels: -20) : 0
            }.facts
            #expect(error(facts.integratedLUFS, level) < 0.1, "channel \(sounding): \(facts.integratedLUFS ?? 0)")
        }
    }

    @Test func aChannelWithoutASpeakerCountsOnce() throws {
        for sounding in [0, 3, 4, 11] {
            let facts = try heard(channels: 12) { frame, channel in channel == sounding ? sine(1000, frame, decibels: -20) : 0 }
                .facts
            #expect(error(facts.integratedLUFS, -23) < 0.1, "channel \(sounding)")
        }
    }

    /// The crest lies between the last samples; nothing comes after them.
    @Test func aCrestAtTheEndIsATruePeak() throws {
        let (count, crest) = (48_000, [0.7071, 0.7071])
        func signal(_ frame: Int) -> Double { frame >= count - 2 ? crest[frame - count + 2] : 0 }
        let cut = try heard(seconds: 1, channels: 1) { frame, _ in signal(frame) }.facts
        let followed = try heard(seconds: 1.1, channels: 1) { frame, _ in frame < count ? signal(frame) : 0 }.facts
        #expect(error(cut.whole.truePeakDBTP, followed.whole.truePeakDBTP ?? 0) < 0.01)
        #expect((cut.whole.truePeakDBTP ?? -10) > -2.5 && error(cut.whole.peakDBFS, -3.01) < 0.01)
    }

    @Test func aSoundThatIsTooShortForALoudnessSaysSo() throws {
        let short = try heard(seconds: 0.3) { frame, _ in sine(1000, frame, decibels: -20) }.facts
        #expect(short.isTooShortForLoudness && short.integratedLUFS == nil)
        let text = short.lines(encoding: nil).map(\.plain).joined(separator: "\n")
        #expect(text.contains("Loudness    too short: a loudness takes 0.4 s") && !text.contains("-inf"))
        let enough = try heard(seconds: 0.4) { frame, _ in sine(1000, frame, decibels: -20) }.facts
        #expect(
            !enough.isTooShortForLoudness && error(enough.integratedLUFS, -20) < 0.2
                && error(enough.momentaryMaximumLUFS, -20) < 0.2)
    }

    @Test func aRateForUltrasoundIsMeasured() throws {
        let facts = try heard(seconds: 1, rate: 384_000) { frame, _ in sine(125, frame, decibels: -20) }.facts
        #expect(error(facts.integratedLUFS, -20) < 0.1 && error(facts.whole.peakDBFS, -20) < 0.1)
    }

    @Test func aSineHasItsPeakAndItsPower() throws {
        let facts = try heard(channels: 1) { frame, _ in sine(1000, frame, decibels: -6) }.facts
        let channel = facts.channels[0]
        #expect(
            error(channel.peakDBFS, -6) < 0.01 && error(channel.rmsDBFS, -9.0103) < 0.01 && error(channel.crestDB, 3.0103) < 0.01)
        #expect(abs(channel.dcOffset) < 1e-5 && channel.clippedSamples == 0 && channel.invalidSamples == 0)
        #expect(facts.frames == 144_000 && facts.seconds == 3)
    }

    @Test func peaksBetweenSamplesAreFound() throws {
        // A quarter of the rate, sampled at 45°: the samples are 3 dB below the peaks.
        let facts = try heard { frame, _ in 0.5 * [0.7071, 0.7071, -0.7071, -0.7071][frame % 4] }.facts
        #expect(error(facts.whole.peakDBFS, -9.03) < 0.02 && error(facts.whole.truePeakDBTP, -6.02) < 0.3)
    }

    @Test func anOffsetIsFoundInItsChannel() throws {
        let facts = try heard { frame, channel in sine(1000, frame, decibels: -20) + (channel == 1 ? -0.05 : 0) }.facts
        #expect(abs(facts.channels[0].dcOffset) < 1e-5 && abs(facts.channels[1].dcOffset + 0.05) < 1e-5)
        #expect(abs(facts.whole.dcOffset + 0.05) < 1e-5)
    }

    @Test func clippedSamplesAreCounted() throws {
        let facts = try heard(channels: 1) { frame, _ in max(-1, min(1, sine(1000, frame, decibels: 3))) }.facts
        // 48 frames a period, a quarter of which is beyond 0.708 of the peak on each side.
        #expect(abs(facts.whole.clippedSamples - 3000 * 24) < 3000 * 4, "\(facts.whole.clippedSamples)")
        let full = try heard(channels: 1) { frame, _ in sine(1000, frame, decibels: 0) }.facts
        #expect(full.whole.clippedSamples == 0)
        let beyond = try heard(channels: 1) { frame, _ in frame == 5000 ? 1.01 : 0.5 }.facts
        #expect(beyond.whole.clippedSamples == 1)
    }

    @Test func invalidSamplesAreCountedAndSpoilNothing() throws {
        let facts = try heard { frame, channel in
            switch (frame, channel) {
            case (1000, 0): .nan
            case (2000, 0): .infinity
            default: sine(1000, frame, decibels: -23)
            }
        }.facts
        #expect(facts.channels.map(\.invalidSamples) == [2, 0])
        #expect(error(facts.integratedLUFS, -23) < 0.1 && error(facts.whole.peakDBFS, -23) < 0.01)
    }

    @Test func silenceHasNoLevels() throws {
        let facts = try heard { _, _ in 0 }.facts
        #expect(facts.whole.peakDBFS == nil && facts.whole.rmsDBFS == nil && facts.integratedLUFS == nil && facts.silenceCount == 0)
        #expect(facts.lines(encoding: nil).map(\.plain).joined().contains("-inf LUFS"))
    }
}
