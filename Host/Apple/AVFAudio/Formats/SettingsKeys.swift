// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys of a dictionary that describes the format of a file. Any thread.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The kind of format: a number such as `kAudioFormatLinearPCM`.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames a second.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The bits of a sample: 16, 24, 32 or 64.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether samples are in big-endian order; the kind of file decides that here.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether each channel has a buffer of its own, in memory.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
/// The kind of file; the extension of its name decides that here.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// The layout of the channels.
public let AVChannelLayoutKey = "AVChannelLayoutKey"
/// How good an encoder is; Bulkhead's encoders have one quality.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The bits a second of an encoder; Bulkhead's encoders choose them by themselves.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// The bits a second of each channel; Bulkhead's encoders choose them by themselves.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// The bits of a sample that an encoder takes.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"
/// How well rates are converted: a value of `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"
/// How rates are converted, such as `AVSampleRateConverterAlgorithm_Mastering`.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The usual conversion of rates.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The best conversion of rates.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// A conversion of rates with the same delay at all frequencies.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// How good a conversion is.
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

/// The values of a settings dictionary, whichever type of number they are.
struct FormatSettings {
    let values: [String: Any]

    /// A number; nil where there is none.
    func number(_ key: String) -> Double? {
        switch values[key] {
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }

    /// A whole number that fits; nil where there is none.
    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

    var formatID: AudioFormatID { integer(AVFormatIDKey).flatMap { UInt32(exactly: $0) } ?? kAudioFormatLinearPCM }
}
