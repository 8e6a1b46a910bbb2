// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The facts about a completely heard sound, for people and for scripts. Any thread.

/// The numbers of a sound; levels are nil for silence.
package struct SoundFacts: Encodable, Sendable {
    /// A channel, or all of them together.
    package struct Channel: Encodable, Sendable {
        /// The speaker, or the number of the channel.
        package let name: String
        /// The peak, the true peak and the RMS level, in decibels relative to full scale.
        package let peakDBFS, truePeakDBTP, rmsDBFS: Double?
        /// The mean of the samples.
        package let dcOffset: Double
        /// The ratio of peak to RMS in decibels.
        package let crestDB: Double?
        /// The number of clipped samples, and the number of samples that are NaN or infinite.
        package let clippedSamples, invalidSamples: Int
    }

    /// A silence in the middle of the sound.
    package struct Gap: Encodable, Sendable {
        package let frame, frames: Int
        package let seconds, lengthSeconds: Double
    }

    /// A step far beyond those of the surrounding sound.
    package struct Click: Encodable, Sendable {
        package let frame: Int
        package let seconds: Double
        package let channel: String
        package let size: Float
    }

    package let sampleRate: Double
    package let frames: Int
    package let seconds: Double
    /// True if the file states its layout; otherwise the usual one for the channel count is assumed.
    package let isLayoutKnown: Bool
    package let channels: [Channel]
    package let whole: Channel
    /// True for less than 400 ms, which have no loudness; without that, a loudness of nil is silence.
    package let isTooShortForLoudness: Bool
    package let integratedLUFS, loudnessRangeLU, momentaryMaximumLUFS, shortTermMaximumLUFS: Double?
    /// The number of all silences; the list has the first 100.
    package let silenceCount: Int
    package let silences: [Gap]
    /// The number of all clicks, in all channels; the list has the first 100.
    package let clickCount: Int
    package let clicks: [Click]
}

extension SoundFacts.Channel {
    init(_ levels: Levels, name: String, truePeak: Double) {
        let (peak, rms) = (Decibels.of(amplitude: Double(levels.peak)), Decibels.of(power: levels.power))
        self.init(
            name: name, peakDBFS: peak, truePeakDBTP: Decibels.of(amplitude: truePeak), rmsDBFS: rms, dcOffset: levels.mean,
            crestDB: Self.crest(peak, rms), clippedSamples: levels.clippedCount, invalidSamples: levels.invalidCount)
    }

    /// Combines all channels: the greatest peaks, the mean power, and the mean farthest from 0.
    init(_ levels: [Levels], _ channels: [SoundFacts.Channel]) {
        let peak = channels.compactMap(\.peakDBFS).max()
        let rms = Decibels.of(power: levels.reduce(0) { $0 + $1.power } / Double(max(1, levels.count)))
        self.init(
            name: "all", peakDBFS: peak, truePeakDBTP: channels.compactMap(\.truePeakDBTP).max(), rmsDBFS: rms,
            dcOffset: channels.map(\.dcOffset).max { abs($0) < abs($1) } ?? 0, crestDB: Self.crest(peak, rms),
            clippedSamples: channels.reduce(0) { $0 + $1.clippedSamples },
            invalidSamples: channels.reduce(0) { $0 + $1.invalidSamples })
    }

    private static func crest(_ peak: Double?, _ rms: Double?) -> Double? {
        guard let peak, let rms else { return nil }
        return peak - rms
    }
}
