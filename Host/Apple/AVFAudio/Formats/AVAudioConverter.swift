// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converters by the names of Apple's systems. One thread at a time.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation

/// Converts buffers from one format to another.
public typealias AVAudioConverter = AudioConverter
/// The result of an input block of a converter.
public typealias AVAudioConverterInputStatus = AudioConverterInputStatus
/// The result of a conversion.
public typealias AVAudioConverterOutputStatus = AudioConverterOutputStatus
/// Provides the next frames; it sets the status, and returns a buffer if there is one.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
/// An address for an error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// The treatment of the frames before the first and after the last one.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The first output frame lies at the first input frame.
    case pre
    /// The first output frame lies at the first input frame.
    case normal
    /// The first output frame lies at the first input frame.
    case none
}

extension AudioConverter {
    /// Fills a buffer with the frames that `block` provides.
    @discardableResult
    public func convert(
        to buffer: AVAudioBuffer, error: NSErrorPointer, withInputFrom block: AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        do throws(AudioEngineError) {
            return try convert(to: buffer, withInputFrom: { block(AVAudioPacketCount(clamping: $0), $1) })
        } catch let failure {
            error?.pointee = NSError(
                domain: "AVFAudio", code: Int(kAudio_ParamError), userInfo: [NSLocalizedDescriptionKey: failure.description])
            return .error
        }
    }

    /// The quality of rate conversion, a raw value of `AVAudioQuality`; a change forgets all earlier input.
    public var sampleRateConverterQuality: Int {
        get {
            switch rateQuality {
            case .best: AVAudioQuality.max.rawValue
            case .medium: AVAudioQuality.medium.rawValue
            default: AVAudioQuality.low.rawValue
            }
        }
        set {
            rateQuality =
                switch newValue {
                case ..<AVAudioQuality.medium.rawValue: RateQuality.fastest
                case ..<AVAudioQuality.high.rawValue: RateQuality.medium
                default: RateQuality.best
                }
        }
    }

    /// The algorithm of rate conversion; a change forgets all earlier input.
    ///
    /// `AVSampleRateConverterAlgorithm_Mastering` has the best quality, whatever `sampleRateConverterQuality` says. Any other value is
    /// `AVSampleRateConverterAlgorithm_Normal`, which has that quality.
    public var sampleRateConverterAlgorithm: String? {
        get { isMastering ? AVSampleRateConverterAlgorithm_Mastering : AVSampleRateConverterAlgorithm_Normal }
        set { isMastering = newValue == AVSampleRateConverterAlgorithm_Mastering }
    }

    /// The input channel of each output channel, or −1 for silence; empty for the default.
    public var channelMap: [NSNumber] {
        get { channelSources.map { NSNumber(value: $0) } }
        set { channelSources = newValue.map(\.intValue) }
    }

    /// True if channels are mixed if there are fewer outputs; otherwise the first channels are used.
    public var downmix: Bool {
        get { channelSources.isEmpty }
        set { channelSources = newValue ? [] : Array(0..<outputFormat.channels) }
    }

    /// Always `none`: the first output frame always lies at the first input frame.
    public var primeMethod: AVAudioConverterPrimeMethod {
        get { .none }
        set {}
    }

    /// The largest output packet in bytes, which is one frame.
    public var maximumOutputPacketSize: Int { outputFormat.commonFormat.byteCount * outputFormat.channels }
}
