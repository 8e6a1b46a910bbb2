// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys of a dictionary that describes the format of a file. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The kind of format: a number such as `kAudioFormatLinearPCM`.
public let AVFormatIDKey = "AVFormatIDKey"
/// The sample rate in frames a second.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The bits of a sample: 16, 24, 32 or 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// True if samples are in big-endian order; here the kind of file decides that.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// True if samples are floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// True if each channel has its own buffer in memory.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The kind of file; here the extension of its name decides that.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// The layout of the channels.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// The quality of an encoder; Bulkhead's encoders have only one.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The bit rate of an encoder; Bulkhead's encoders choose it themselves.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bit rate of each channel; Bulkhead's encoders choose it themselves.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The bits of an encoder's input samples.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// The quality of rate conversion, a value of `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// The algorithm of rate conversion, such as `AVSampleRateConverterAlgorithm_Mastering`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The usual rate conversion.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best rate conversion.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// A rate conversion with minimum phase; Bulkhead has none, and ignores the value.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// The quality of a conversion.
public enum AVAudioQuality: Int, Sendable {
    /// The worst.
    case min = 0
    /// Between the worst and the usual one.
    case low = 0x20
    /// The usual one.
    case medium = 0x40
    /// Better than the usual one.
    case high = 0x60
    /// The best.
    case max = 0x7F
}

/// The values of a settings dictionary, for any type of number.
struct FormatSettings {
    let values: [String: Any]

    /// A number; nil if there is none.
    func number(_ key: String) -> Double? {
        switch values[key] {
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    /// A whole number that fits; nil if there is none.
    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

    var formatID: AudioFormatID { integer(AVFormatIDKey).flatMap { UInt32(exactly: $0) } ?? kAudioFormatLinearPCM }
}
