// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converters by the names of Apple's systems. One thread at a time.
// The names are those of Apple's headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioGraph
import Foundation

/// Converts buffers from one format to another.
public typealias AVAudioConverter = AudioConverter
/// What an input block has for a converter.
public typealias AVAudioConverterInputStatus = AudioConverterInputStatus
/// How a conversion ended.
public typealias AVAudioConverterOutputStatus = AudioConverterOutputStatus
/// Called for the next frames; it sets the status, and returns a buffer if there is one.
public typealias AVAudioConverterInputBlock = (
    AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
/// A place for an error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What a converter does about the frames in front of the first one and behind the last one.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
    /// The first frame put out lies at the first one taken in.
    case pre
    /// The first frame put out lies at the first one taken in.
    case normal
    /// The first frame put out lies at the first one taken in.
    case none
}

extension AudioConverter {
    /// Fills a buffer with what `block` hands in.
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

    /// How well rates are converted: the raw value of an `AVAudioQuality`; a change forgets what was taken in.
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

    /// How rates are converted; `AVSampleRateConverterAlgorithm_Mastering` means the best quality.
    public var sampleRateConverterAlgorithm: String? {
        get {
            rateQuality == .best
                ? AVSampleRateConverterAlgorithm_Mastering : AVSampleRateConverterAlgorithm_Normal
        }
        set {
            if newValue == AVSampleRateConverterAlgorithm_Mastering { rateQuality = .best }
        }
    }

    /// For each channel put out, the channel taken in that it is, or −1 for silence; empty for the usual way.
    public var channelMap: [NSNumber] {
        get { channelSources.map { NSNumber(value: $0) } }
        set { channelSources = newValue.map(\.intValue) }
    }

    /// Whether channels are mixed where there are fewer to put out; otherwise the first ones are taken.
    public var downmix: Bool {
        get { channelSources.isEmpty }
        set { channelSources = newValue ? [] : Array(0..<outputFormat.channels) }
    }

    /// Nothing need be primed: the first frame put out always lies at the first one taken in.
    public var primeMethod: AVAudioConverterPrimeMethod {
        get { .none }
        set {}
    }

    /// The largest packet put out, in bytes: a frame.
    public var maximumOutputPacketSize: Int { outputFormat.commonFormat.byteCount * outputFormat.channels }
}
