// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Samples in memory, for players, converters, files and rendering by hand. Any thread, one at a time.

import Glibc
import Realtime

/// Samples of a format.
///
/// While a buffer is scheduled, the render thread reads it: leave its samples alone until its completion.
public final class AudioPCMBuffer: @unchecked Sendable {
    // SAFETY: the program decides which thread uses the samples; the length is set before the buffer is handed over.
    /// The format.
    public let format: AudioFormat
    /// The largest number of frames that the buffer holds.
    @_disfavoredOverload public let frameCapacity: Int
    private let memory: Memory
    private var length = 0

    /// The addresses of the samples.
    struct Memory {
        /// The address of the first sample of each channel.
        let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
        /// The same addresses in the layout of an `AudioBufferList`.
        let list: AudioBufferListMemory
        /// Frees the samples.
        let release: () -> Void
    }

    /// Allocates silence, with a `frameLength` of 0.
    ///
    /// Returns nil for a format with no channels, more than 255, or another sample format. It also returns nil for no frames, and for more
    /// than the machine's memory holds.
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
        memory.release()
        memory.list.deallocate()
        memory.channels.deallocate()
    }

    /// Makes a buffer of samples that the caller owns.
    ///
    /// Each element of `planes` is the first sample of a channel; of interleaved samples there is one plane. The buffer calls `release` at
    /// the end of its life. Returns nil for an impossible format, or another number of planes.
    package convenience init?(
        pcmFormat format: AudioFormat, planes: [UnsafeMutableRawPointer], frameCapacity: Int, release: @escaping () -> Void
    ) {
        let planeCount = format.isInterleaved ? 1 : format.channelCount
        guard Self.isPossible(format), planes.count == planeCount, (1...1 << 40).contains(frameCapacity) else { return nil }
        self.init(format, Self.memory(format, planes: planes, release: release), frameCapacity: frameCapacity)
    }

    /// The size of the machine's memory in bytes.
    private static let machineByteCount = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))

    private static func isPossible(_ format: AudioFormat) -> Bool {
        (1...255).contains(format.channelCount) && format.commonFormat.byteCount > 0 && format.sampleRate > 0
            && format.sampleRate.isFinite
    }

    /// Allocates silence for `frameCapacity` frames; nil where that is impossible.
    static func memory(pcmFormat format: AudioFormat, frameCapacity: Int) -> Memory? {
        let (channelCount, size) = (format.channelCount, format.commonFormat.byteCount)
        guard isPossible(format), (1...1 << 40).contains(frameCapacity), frameCapacity * channelCount * size <= machineByteCount
        else { return nil }
        // Each channel begins on a cache line.
        let stride = format.isInterleaved ? size : (frameCapacity * size + 63) & ~63
        let byteCount = format.isInterleaved ? frameCapacity * channelCount * size : channelCount * stride
        let samples = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        memset(samples, 0, byteCount)
        let planes = (0..<(format.isInterleaved ? 1 : channelCount)).map { samples + $0 * stride }
        return memory(format, planes: planes) { samples.deallocate() }
    }

    private static func memory(
        _ format: AudioFormat, planes: [UnsafeMutableRawPointer], release: @escaping () -> Void
    ) -> Memory {
        let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: format.channelCount)
        for channel in 0..<format.channelCount {
            let sample = format.isInterleaved ? planes[0] + channel * format.commonFormat.byteCount : planes[channel]
            (channels + channel).initialize(to: sample)
        }
        let list = AudioBufferListMemory(planes: planes, channelsOfEach: format.isInterleaved ? format.channelCount : 1)
        return Memory(channels: channels, list: list, release: release)
    }

    /// The number of frames that hold sound; other values are clamped to the capacity.
    @_disfavoredOverload
    public var frameLength: Int {
        get { length }
        set {
            length = max(0, min(frameCapacity, newValue))
            memory.list.setByteCount(length * stride * format.commonFormat.byteCount)
        }
    }

    /// The same as `frameLength` and `frameCapacity`, for modules in which other properties have these names.
    package var frames: Int {
        get { frameLength }
        set { frameLength = newValue }
    }
    package var capacity: Int { frameCapacity }

    /// The samples in the layout of an `AudioBufferList`.
    package var bufferList: UnsafeMutableRawPointer { memory.list.start }

    /// The distance from one frame of a channel to the next, in samples: the number of channels where they are interleaved.
    public var stride: Int { format.isInterleaved ? format.channelCount : 1 }

    /// The samples of each channel as 32-bit floating point; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { channelData(.pcmFormatFloat32) }
    /// The samples of each channel as 64-bit floating point; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var doubleChannelData: UnsafePointer<UnsafeMutablePointer<Double>>? { channelData(.pcmFormatFloat64) }
    /// The samples of each channel as 16-bit integers; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { channelData(.pcmFormatInt16) }
    /// The samples of each channel as 32-bit integers; nil in another sample format.
    ///
    /// Valid as long as the buffer lives.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { channelData(.pcmFormatInt32) }

    private func channelData<Sample>(_ kind: AudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == kind else { return nil }
        return UnsafeRawPointer(memory.channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// The samples of a standard format, `frameLength` frames long; a block without channels in another format.
    ///
    /// Valid as long as the buffer lives.
    public var samples: AudioBlock {
        let channels = UnsafeRawPointer(memory.channels).assumingMemoryBound(to: UnsafeMutablePointer<Float>.self)
        return AudioBlock(channels: channels, channelCount: format.isStandard ? format.channelCount : 0, frameCount: length)
    }
}
