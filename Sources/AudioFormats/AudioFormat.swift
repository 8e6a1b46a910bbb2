// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A format of audio: rate, channels, and how samples lie in memory. Any thread.

/// How a sample is stored.
public enum AudioCommonFormat: UInt, Sendable, CaseIterable {
    /// None of the others.
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
/// Units and graphs render the standard format: 32-bit floating point, a channel after the other. Buffers, files and converters have others, too.
public struct AudioFormat: Hashable, Sendable {
    /// Frames a second.
    public var sampleRate: Double
    /// The number of channels.
    ///
    /// `AVFAudio` has a property of the same name and another type, which counts where it is imported; so it is with every overload that is disfavoured.
    @_disfavoredOverload public var channelCount: Int
    /// How a sample is stored.
    public var commonFormat = AudioCommonFormat.pcmFormatFloat32
    /// Whether the samples of a frame lie side by side.
    public var isInterleaved = false

    /// What the channels stand for; nil where only their number is known.
    ///
    /// It travels with the sound, from a file through units and mixers to a file or a device. Formats that differ in it alone are equal.
    public var layout: ChannelLayout?

    /// Makes a standard format; a unit that cannot render it refuses it.
    public init(sampleRate: Double, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Makes a format; nil without channels, beyond 255 of them, or at a rate that is not above 0.
    public init?(commonFormat: AudioCommonFormat, sampleRate: Double, channels: Int, interleaved: Bool) {
        guard (1...255).contains(channels), sampleRate > 0, sampleRate.isFinite, commonFormat != .otherFormat else { return nil }
        self.init(sampleRate: sampleRate, channelCount: channels)
        (self.commonFormat, isInterleaved) = (commonFormat, interleaved)
    }

    /// Makes a standard format; nil without channels, beyond 255 of them, or at a rate that is not above 0.
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: Int) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// The number of channels, for modules in which another property has the name.
    package var channels: Int {
        get { channelCount }
        set { channelCount = newValue }
    }

    /// Whether this is a standard format, which units and graphs render.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    /// The standard format of the same rate and channels.
    public var standard: AudioFormat { AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: layout) }

    /// Makes a standard format whose channels stand for these speakers; a layout of other channels counts as none.
    public init(sampleRate: Double, channelCount: Int, layout: ChannelLayout?) {
        self.init(sampleRate: sampleRate, channelCount: channelCount)
        self.layout = layout.flatMap { $0.channelCount == channelCount ? $0 : nil }
    }

    /// Whether buffers of both formats are alike.
    public static func == (left: AudioFormat, right: AudioFormat) -> Bool {
        left.sampleRate == right.sampleRate && left.channels == right.channels && left.commonFormat == right.commonFormat
            && left.isInterleaved == right.isInterleaved
    }

    /// Hashes what makes buffers alike.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleRate)
        hasher.combine(channels)
        hasher.combine(commonFormat)
        hasher.combine(isInterleaved)
    }
}

extension AudioFormat: CustomStringConvertible {
    /// The format in a sentence.
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
