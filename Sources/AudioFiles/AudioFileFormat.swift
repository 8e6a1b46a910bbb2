// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The shape of the audio in a file. Any thread.

/// What a file holds: its rate in hertz, its channels, and its length in frames.
public struct AudioFileFormat: Equatable, Sendable {
    /// Frames a second.
    public let sampleRate: Double
    public let channelCount: Int
    /// Frames in the whole file, as its header says or, where it doesn't, as counted.
    public let frameCount: Int

    /// Channel counts that Bulkhead processes.
    public static let channelCounts = 1...32
    /// Sample rates that Bulkhead processes, in hertz.
    public static let sampleRates = 8_000.0...192_000.0

    public init(sampleRate: Double, channelCount: Int, frameCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCount = frameCount
    }

    /// The length in seconds.
    public var duration: Double { Double(frameCount) / sampleRate }

    /// Refuses what can't be processed, naming the file.
    static func check(rate: Double, channels: Int, path: String, act: AudioFileError.Act) throws(AudioFileError) {
        guard channelCounts.contains(channels) else {
            throw .channelCount(path: path, count: channels, act: act)
        }
        guard sampleRates.contains(rate) else { throw .sampleRate(path: path, hertz: rate, act: act) }
    }
}
