// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is known of a sound once all of it has been heard, for people and for scripts. Any thread.

/// The numbers of a sound; levels are nil for silence.
package struct SoundFacts: Encodable, Sendable {
    /// A channel, or all of them together.
    package struct Channel: Encodable, Sendable {
        /// The speaker, or the number of the channel.
        package let name: String
        /// Decibels below full scale.
        package let peakDBFS, truePeakDBTP, rmsDBFS: Double?
        /// The mean of the samples.
        package let dcOffset: Double
        /// The ratio of peak and RMS in decibels.
        package let crestDB: Double?
        /// Samples beyond full scale, and neighbours at full scale; and samples that are NaN or infinite.
        package let clippedSamples, invalidSamples: Int
    }

    /// A silence in the middle of the sound.
    package struct Gap: Encodable, Sendable {
        package let frame, frames: Int
        package let seconds, lengthSeconds: Double
    }

    /// A step far beyond those of the sound around it.
    package struct Click: Encodable, Sendable {
        package let frame: Int
        package let seconds: Double
        package let channel: String
        package let size: Float
    }

    package let sampleRate: Double
    package let frames: Int
    package let seconds: Double
    /// Whether the file says what its channels stand for; else it is what is usual for their number.
    package let isLayoutKnown: Bool
    package let channels: [Channel]
    package let whole: Channel
    package let integratedLUFS, loudnessRangeLU, momentaryMaximumLUFS, shortTermMaximumLUFS: Double?
    /// All silences; of the following ones the first 100.
    package let silenceCount: Int
    package let silences: [Gap]
    /// All clicks, each channel's; of the following ones the first 100.
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

    /// All channels together: the greatest peaks, the mean power, the mean farthest from 0.
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
