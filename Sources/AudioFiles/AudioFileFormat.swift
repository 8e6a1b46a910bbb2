// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sample rate, channel count and length of the audio in a file. Any thread.

import AudioFormats

/// The format and the length of the audio in a file.
public struct AudioFileFormat: Equatable, Sendable {
    /// The sample rate in frames a second.
    public let sampleRate: Double
    /// The number of channels.
    public let channelCount: Int
    /// The number of frames that the header states, or that were counted if it states none.
    public let frameCount: Int
    /// The meaning of the channels, in the order of WAV; nil if the file does not state it.
    public var channelLayout: ChannelLayout?

    /// The channel counts that Bulkhead processes.
    public static let channelCounts = 1...32
    /// The sample rates that Bulkhead processes, in hertz.
    public static let sampleRates = 8_000.0...768_000.0

    /// Makes a format from its parts.
    public init(sampleRate: Double, channelCount: Int, frameCount: Int, channelLayout: ChannelLayout? = nil) {
        self.channelLayout = channelLayout
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCount = frameCount
    }

    /// The length in seconds.
    public var duration: Double { Double(frameCount) / sampleRate }

    /// Refuses a format outside of the limits, with an error that names the file.
    static func check(rate: Double, channels: Int, path: String, act: AudioFileError.Act) throws(AudioFileError) {
        guard channelCounts.contains(channels) else {
            throw .channelCount(path: path, count: channels, act: act)
        }
        guard sampleRates.contains(rate) else { throw .sampleRate(path: path, hertz: rate, act: act) }
    }
}
