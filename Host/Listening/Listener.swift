// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes a sound block by block, and measures it in memory of constant size. Main thread.

import AudioFiles
import AudioFormats
import Realtime

/// The reason why a sound could not be measured.
package enum ListeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Memory is short, or libebur128 does not support the format.
    case noMeter(sampleRate: Double, channelCount: Int)

    /// One sentence for the user.
    package var description: String {
        switch self {
        case .noMeter(let rate, let count):
            "Couldn't measure the loudness of \(count) channels at \(Int(nearestFrame: rate)) Hz: there is not enough memory."
        }
    }
}

/// Measures a sound of a known length.
package final class Listener {
    private let format: AudioFileFormat
    private var levels: [Levels]
    private var clickFinders: [ClickFinder]
    private var gapFinder: GapFinder
    private let loudness: Loudness
    private var waveform: WaveformColumns
    private let spectra: Spectra?
    /// The samples without NaN, infinity and magnitudes above `loudest`, planar and interleaved.
    private let clean: AudioBuffer
    private let interleaved: UnsafeMutablePointer<Float>
    private var frameCount = 0

    /// The most frames of a block.
    package static let blockFrameCount = 8192

    /// Prepares for a sound; its pictures have `columnCount` columns, and need spectra.
    package init(_ format: AudioFileFormat, columnCount: Int, hasSpectra: Bool) throws(ListeningError) {
        let (rate, channels, frames) = (format.sampleRate, format.channelCount, format.frameCount)
        guard
            let loudness = Loudness(
                sampleRate: rate, channelCount: channels, layout: format.channelLayout ?? .usual(channels), frameCount: frames,
                columnCount: columnCount)
        else { throw .noMeter(sampleRate: rate, channelCount: channels) }
        (self.format, self.loudness) = (format, loudness)
        levels = Array(repeating: Levels(), count: channels)
        clickFinders = Array(repeating: ClickFinder(sampleRate: rate), count: channels)
        gapFinder = GapFinder(sampleRate: rate)
        waveform = WaveformColumns(channelCount: channels, frameCount: frames, columnCount: columnCount)
        spectra = hasSpectra ? Spectra(channelCount: channels, frameCount: frames, columnCount: columnCount) : nil
        clean = AudioBuffer(channelCount: channels, frameCapacity: Self.blockFrameCount)
        interleaved = .allocate(capacity: channels * Self.blockFrameCount)
    }

    deinit { interleaved.deallocate() }

    /// Takes the next frames, at most `blockFrameCount`.
    package func take(_ block: AudioBlock) {
        let count = block.frameCount
        let samples = clean.block(frameCount: count)
        for channel in 0..<format.channelCount {
            levels[channel].take(UnsafeBufferPointer(start: block[channel], count: count))
            for frame in 0..<count {
                let finite = Self.tamed(block[channel][frame])
                samples[channel][frame] = finite
                interleaved[frame * format.channelCount + channel] = finite
            }
            clickFinders[channel].take(UnsafeBufferPointer(start: samples[channel], count: count))
        }
        gapFinder.take(samples)
        loudness.take(interleaved, frameCount: count)
        waveform.take(samples)
        spectra?.take(samples)
        frameCount += count
    }

    /// The magnitude that louder samples get in loudness, pictures and clicks: 180 dB above full scale, whose squares are finite.
    static let loudest: Float = 1e9

    /// A sample with a magnitude of at most `loudest`; NaN and infinity become silence.
    private static func tamed(_ sample: Float) -> Float { sample.isFinite ? max(-loudest, min(loudest, sample)) : 0 }

    /// The results; nothing can be taken after this call.
    package func finish() -> HeardSound {
        for index in clickFinders.indices { clickFinders[index].finish() }
        spectra?.finish()
        loudness.finish()
        return HeardSound(facts: facts, waveform: waveform, loudness: loudness, spectra: spectra)
    }

    private var facts: SoundFacts {
        let layout = format.channelLayout ?? .usual(format.channelCount)
        let channels = (0..<format.channelCount).map { index in
            SoundFacts.Channel(
                levels[index], name: layout?.speaker(ofChannel: index)?.name ?? "\(index + 1)",
                truePeak: loudness.truePeak(ofChannel: index))
        }
        let clicks = clickFinders.enumerated().flatMap { index, finder in
            finder.clicks.map {
                SoundFacts.Click(
                    frame: $0.frame, seconds: Double($0.frame) / format.sampleRate, channel: channels[index].name, size: $0.size)
            }
        }
        let gaps = gapFinder.gaps.map {
            SoundFacts.Gap(
                frame: $0.start, frames: $0.frameCount, seconds: Double($0.start) / format.sampleRate,
                lengthSeconds: Double($0.frameCount) / format.sampleRate)
        }
        return SoundFacts(
            sampleRate: format.sampleRate, frames: frameCount, seconds: Double(frameCount) / format.sampleRate,
            isLayoutKnown: format.channelLayout != nil, channels: channels, whole: SoundFacts.Channel(levels, channels),
            isTooShortForLoudness: loudness.isTooShort, integratedLUFS: loudness.integrated.finite,
            loudnessRangeLU: loudness.range?.finite,
            momentaryMaximumLUFS: loudness.greatestMomentary.finite, shortTermMaximumLUFS: loudness.greatestShortTerm.finite,
            silenceCount: gapFinder.count, silences: gaps, clickCount: clickFinders.reduce(0) { $0 + $1.count },
            clicks: Array(clicks.sorted { $0.frame < $1.frame }.prefix(ClickFinder.keptCount)))
    }
}

extension ChannelLayout {
    /// The speaker of a channel; nil for a channel without one, and for a channel that the layout does not have.
    fileprivate func speaker(ofChannel channel: Int) -> Speaker? { speakers.indices.contains(channel) ? speakers[channel] : nil }
}

extension Double {
    /// The number; nil for infinity and NaN, which JSON does not have.
    var finite: Double? { isFinite ? self : nil }
}

/// The results of a heard sound, for texts and pictures.
package struct HeardSound {
    /// The numbers.
    package let facts: SoundFacts
    /// The outline.
    package let waveform: WaveformColumns
    let loudness: Loudness
    let spectra: Spectra?
}

extension HeardSound {
    /// Listens to a file, to its end or for `seconds`; `check` is called for each block, and may throw to stop.
    ///
    /// Throws `AudioFileError`, `ListeningError`, or an error of `check`.
    package init(
        _ reader: AudioFileReader, seconds: Double? = nil, columnCount: Int, hasSpectra: Bool, check: () throws -> Void = {}
    ) throws {
        var format = reader.format
        if let seconds, seconds < format.duration {
            format = AudioFileFormat(
                sampleRate: format.sampleRate, channelCount: format.channelCount,
                frameCount: max(1, Int(nearestFrame: seconds * format.sampleRate)), channelLayout: format.channelLayout)
        }
        let listener = try Listener(format, columnCount: columnCount, hasSpectra: hasSpectra)
        let buffer = AudioBuffer(channelCount: format.channelCount, frameCapacity: Listener.blockFrameCount)
        var left = seconds == nil ? Int.max : format.frameCount
        while left > 0 {
            try check()
            let wanted = min(left, Listener.blockFrameCount)
            let count = try reader.read(into: buffer.block(frameCount: wanted).channels, frameCount: wanted)
            if count > 0 { listener.take(buffer.block(frameCount: count)) }
            if count < wanted { break }
            left -= count
        }
        self = listener.finish()
    }
}
