// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Samples in memory, for players, converters, files and rendering by hand. Any thread, one at a time.

import Glibc
import PluginHosting
import Realtime

/// Samples of a format.
///
/// A buffer that is scheduled is read by the render thread: leave its samples alone until its completion.
public final class AudioPCMBuffer: @unchecked Sendable {
    // SAFETY: the program says who uses the samples when; the length is set before the buffer is handed over.
    /// The format.
    public let format: AudioFormat
    /// The most frames that the buffer holds.
    public let frameCapacity: Int
    private let memory: Memory
    private var length = 0

    /// Where the samples lie.
    struct Memory {
        let samples: UnsafeMutableRawPointer
        let byteCount: Int
        /// The first sample of each channel.
        let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
    }

    /// Allocates silence of `frameLength` 0; nil for a format without channels, beyond 255 or of another sample format, for no frames, or for more than
    /// the machine's memory holds.
    public convenience init?(pcmFormat format: AudioFormat, frameCapacity: Int) {
        guard let memory = Self.memory(pcmFormat: format, frameCapacity: frameCapacity) else { return nil }
        self.init(format, memory, frameCapacity: frameCapacity)
    }

    init(_ format: AudioFormat, _ memory: Memory, frameCapacity: Int) {
        self.format = format
        self.frameCapacity = frameCapacity
        self.memory = memory
    }

    deinit {
        memory.samples.deallocate()
        memory.channels.deallocate()
    }

    /// The bytes of the machine's memory.
    private static let machineByteCount = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))

    /// Silence for so many frames; nil where that is impossible.
    static func memory(pcmFormat format: AudioFormat, frameCapacity: Int) -> Memory? {
        let (channelCount, size) = (format.channelCount, format.commonFormat.byteCount)
        guard (1...255).contains(channelCount), size > 0, format.sampleRate > 0, format.sampleRate.isFinite,
            (1...1 << 40).contains(frameCapacity), frameCapacity * channelCount * size <= machineByteCount
        else { return nil }
        // Each channel begins on a cache line.
        let stride = format.isInterleaved ? size : (frameCapacity * size + 63) & ~63
        let byteCount = format.isInterleaved ? frameCapacity * channelCount * size : channelCount * stride
        let samples = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        memset(samples, 0, byteCount)
        let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: channelCount)
        for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * stride) }
        return Memory(samples: samples, byteCount: byteCount, channels: channels)
    }

    /// The frames that hold sound; values beyond the capacity are clamped.
    public var frameLength: Int {
        get { length }
        set { length = max(0, min(frameCapacity, newValue)) }
    }

    /// The samples from one frame of a channel to the next: the number of channels where they are interleaved.
    public var stride: Int { format.isInterleaved ? format.channelCount : 1 }

    /// The first sample of each channel, as 32-bit floating point; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { channelData(.pcmFormatFloat32) }
    /// The first sample of each channel, as 64-bit floating point; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var doubleChannelData: UnsafePointer<UnsafeMutablePointer<Double>>? { channelData(.pcmFormatFloat64) }
    /// The first sample of each channel, as 16-bit integers; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { channelData(.pcmFormatInt16) }
    /// The first sample of each channel, as 32-bit integers; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { channelData(.pcmFormatInt32) }

    private func channelData<Sample>(_ kind: AudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == kind else { return nil }
        return UnsafeRawPointer(memory.channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// The samples of a standard format, for `frameLength` frames; no channels in another one.
    ///
    /// Valid as long as the buffer lives.
    public var samples: AudioBlock {
        let channels = UnsafeRawPointer(memory.channels).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
        return AudioBlock(channels: channels, channelCount: format.isStandard ? format.channelCount : 0, frameCount: length)
    }
}
