// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A format of audio: rate, channels, and layout of samples in memory. Any thread.

/// The storage format of a sample.
public enum AudioCommonFormat: UInt, Sendable, CaseIterable {
    /// Any other format.
    case otherFormat
    /// 32-bit floating point; full scale is 1.
    case pcmFormatFloat32
    /// 64-bit floating point; full scale is 1.
    case pcmFormatFloat64
    /// 16-bit integers.
    case pcmFormatInt16
    /// 32-bit integers.
    case pcmFormatInt32

    /// The bytes of a sample; 0 for `otherFormat`.
    public var byteCount: Int {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }
}

/// A format of audio.
///
/// Units and graphs render the standard format: 32-bit floating point, one channel after the other. Buffers, files and
/// converters also have other formats.
public struct AudioFormat: Hashable, Sendable {
    /// Frames a second.
    public var sampleRate: Double
    /// The number of channels.
    ///
    /// `AVFAudio` has a property of the same name and another type, which takes precedence where that module is imported. The
    /// same holds for every disfavoured overload.
    @_disfavoredOverload public var channelCount: Int
    /// The storage format of a sample.
    public var commonFormat = AudioCommonFormat.pcmFormatFloat32
    /// True if the samples of a frame lie side by side.
    public var isInterleaved = false

    /// The meaning of the channels; nil if only their number is known.
    ///
    /// The layout travels with the sound, from a file through units and mixers to a file or a device. Formats that differ only
    /// in their layout are equal.
    public var layout: ChannelLayout?

    /// Makes a standard format; a unit that cannot render it will refuse it.
    public init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Makes a format; nil for no channels, more than 255 channels, or a rate that is not above 0.
    public init?(commonFormat: AudioCommonFormat, sampleRate: Double, channels: Int, interleaved: Bool) {
        guard (1...255).contains(channels), sampleRate > 0, sampleRate.isFinite, commonFormat != .otherFormat else { return nil }
        self.init(sampleRate: sampleRate, channelCount: channels)
        (self.commonFormat, isInterleaved) = (commonFormat, interleaved)
    }

    /// Makes a standard format; nil for no channels, more than 255 channels, or a rate that is not above 0.
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: Int) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// The number of channels, for modules in which another property has the name `channelCount`.
    package var channels: Int {
        get { channelCount }
        set { channelCount = newValue }
    }

    /// True if this is a standard format, which units and graphs render.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The standard format of the same rate and channels.
    public var standard: AudioFormat { AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout) }

    /// Makes a standard format with the speakers of a layout; a layout with another channel count is dropped.
    public init(sampleRate: Double, channelCount: Int, layout: ChannelLayout?) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
        self.layout = layout.flatMap { $0.channelCount == channelCount ? $0 : nil }
    }

    /// True if buffers of both formats are alike.
    public static func == (left: AudioFormat, right: AudioFormat) -> Bool {
        left.sampleRate == right.sampleRate && left.channels == right.channels && left.commonFormat == right.commonFormat
            && left.isInterleaved == right.isInterleaved
    }

    /// Hashes the properties that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleRate)
        hasher.combine(channels)
        hasher.combine(commonFormat)
        hasher.combine(isInterleaved)
    }
}

extension AudioFormat: CustomStringConvertible {
    /// The format as part of a sentence.
    public var description: String {
        let kind =
            switch commonFormat {
            case .pcmFormatFloat32: ""
            case .pcmFormatFloat64: ", 64-bit float"
            case .pcmFormatInt16: ", 16-bit integer"
            case .pcmFormatInt32: ", 32-bit integer"
            case .otherFormat: ", another sample format"
            }
        return "\(channelCount) channels at \(sampleRate) Hz\(kind)\(isInterleaved ? ", interleaved" : "")"
    }
}
