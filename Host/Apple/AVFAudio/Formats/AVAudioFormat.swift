// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Formats by the names of Apple's systems. Any thread.

import AudioGraph
import Foundation
import Synchronization

/// A format of audio.
public typealias AVAudioFormat = AudioFormat
/// The storage format of a sample.
public typealias AVAudioCommonFormat = AudioCommonFormat

extension AudioFormat {
    /// The number of channels.
    public var channelCount: AVAudioChannelCount { UInt32(clamping: channels) }

    /// Makes a format; nil for no channels, more than 255 channels, or a rate that is not above 0.
    public init?(commonFormat: AudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {
        self.init(commonFormat: commonFormat, sampleRate: sampleRate, channels: Int(channels), interleaved: interleaved)
    }

    /// Makes the format of units and graphs; nil for no channels, more than 255 channels, or a rate that is not above 0.
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(standardFormatWithSampleRate: sampleRate, channels: Int(channels))
    }

    /// Makes the format of units and graphs, with the channels of a layout.
    public init(standardFormatWithSampleRate sampleRate: Double, channelLayout: AVAudioChannelLayout) {
        self.init(sampleRate: sampleRate, channelCount: Int(channelLayout.channelCount), layout: channelLayout.speakers)
    }

    /// Makes a format with the channels of a layout.
    public init(
        commonFormat: AudioCommonFormat, sampleRate: Double, interleaved: Bool, channelLayout: AVAudioChannelLayout
    ) {
        self.init(sampleRate: sampleRate, channelCount: Int(channelLayout.channelCount), layout: channelLayout.speakers)
        (self.commonFormat, isInterleaved) = (commonFormat, interleaved)
    }

    /// Makes the format of a description; nil if buffers do not support it.
    public init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>) {
        let description = streamDescription.pointee
        guard let kind = description.commonFormat else { return nil }
        self.init(
            commonFormat: kind, sampleRate: description.mSampleRate, channels: Int(description.mChannelsPerFrame),
            interleaved: description.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
    }

    /// Makes the format of a description, with the channels of a layout; nil if buffers do not support it.
    public init?(streamDescription: UnsafePointer<AudioStreamBasicDescription>, channelLayout: AVAudioChannelLayout?) {
        self.init(streamDescription: streamDescription)
        guard channelLayout.map({ $0.channelCount == channelCount }) ?? true else { return nil }
        layout = channelLayout?.speakers
    }

    /// Makes the buffer format for a settings dictionary; nil without a rate or channels, or for an unsupported kind.
    public init?(settings: [String: Any]) {
        let settings = FormatSettings(values: settings)
        guard settings.formatID == kAudioFormatLinearPCM, let rate = settings.number(AVSampleRateKey),
            let count = settings.integer(AVNumberOfChannelsKey)
        else { return nil }
        let isFloat = settings.integer(AVLinearPCMIsFloatKey) ?? 0 != 0
        let kind: AudioCommonFormat
        switch (isFloat, settings.integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)) {
        case (true, 32): kind = .pcmFormatFloat32
        case (true, 64): kind = .pcmFormatFloat64
        case (false, 16): kind = .pcmFormatInt16
        case (false, 32): kind = .pcmFormatInt32
        default: return nil
        }
        let isInterleaved = settings.integer(AVLinearPCMIsNonInterleaved) ?? 0 == 0
        self.init(commonFormat: kind, sampleRate: rate, channels: count, interleaved: isInterleaved)
    }

    /// The format as a settings dictionary.
    public var settings: [String: Any] {
        let isFloat = commonFormat == .pcmFormatFloat32 || commonFormat == .pcmFormatFloat64
        return [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channels,
            AVLinearPCMBitDepthKey: 8 * commonFormat.byteCount, AVLinearPCMIsFloatKey: isFloat,
            AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: !isInterleaved,
        ]
    }

    /// The format in Core Audio's form; valid as long as the program runs.
    public var streamDescription: UnsafePointer<AudioStreamBasicDescription> { StreamDescriptions.shared.pointer(of: self) }

    /// The layout of the channels; nil for one or two channels, which need none.
    public var channelLayout: AVAudioChannelLayout? {
        layout.map { AVAudioChannelLayout($0) } ?? (channels > 2 ? AVAudioChannelLayout(channelCount: channels) : nil)
    }
}

/// One description for each format that a program has requested.
private final class StreamDescriptions: Sendable {
    static let shared = StreamDescriptions()

    private struct Table: @unchecked Sendable {
        // SAFETY: the descriptions do not change, and are never freed.
        var pointers: [AudioFormat: UnsafePointer<AudioStreamBasicDescription>] = [:]
    }

    private let table = Mutex(Table())

    func pointer(of format: AudioFormat) -> UnsafePointer<AudioStreamBasicDescription> {
        // SAFETY: as for the table.
        nonisolated(unsafe) var found: UnsafePointer<AudioStreamBasicDescription>?
        table.withLock { table in
            if let pointer = table.pointers[format] {
                found = pointer
                return
            }
            let pointer = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
            pointer.initialize(to: AudioStreamBasicDescription(format))
            table.pointers[format] = UnsafePointer(pointer)
            found = UnsafePointer(pointer)
        }
        // Cannot trap: the closure above has set it.
        return found!
    }
}
