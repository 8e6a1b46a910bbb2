// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A whole file in memory, planar. The control thread loads it, and any thread plays it.

import AudioFormats
import Glibc

/// Planar audio that owns its memory; every channel starts on a cache line.
///
/// `channels` and the counts fit an `AudioBlock`. The pointers and the memory are valid only while a reference to the object
/// exists.
public final class LoadedAudio: @unchecked Sendable {
    // SAFETY: only the samples can change after loading. By convention, as with any audio memory, only an exclusive holder
    // writes samples.

    /// One pointer for each channel, valid for `frameCount` samples.
    public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    /// The number of channels.
    public let channelCount: Int
    /// The number of frames.
    public private(set) var frameCount: Int
    /// The sample rate in frames a second.
    public let sampleRate: Double
    /// The meaning of the channels; nil if it is not known.
    public internal(set) var channelLayout: ChannelLayout?

    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int

    /// `[control]` Allocates silence; nil if there is not enough memory or a count is negative.
    ///
    /// The system provides each page when it is first written, so a false length in a header costs nothing.
    public init?(channelCount: Int, frameCount: Int, sampleRate: Double) {
        guard let byteCount = Self.byteCount(channelCount, frameCount), byteCount <= Self.physicalByteCount,
            let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
        self.byteCount = byteCount
        self.channelCount = channelCount
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        channels = UnsafePointer(Self.pointers(into: memory, channelCount, Self.stride(frameCount)))
    }

    deinit {
        channels.deallocate()
        munmap(memory, byteCount)
    }

    /// The samples of one channel; `channel` must be below `channelCount`.
    public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
    }

    /// Drops frames at the end; call it before another thread has the object.
    func shorten(to count: Int) { frameCount = min(frameCount, max(0, count)) }

    /// The number of bytes of so much audio; saturates.
    static func wording(_ channelCount: Int, _ frameCount: Int) -> UInt64 {
        UInt64(byteCount(channelCount, frameCount) ?? Int.max)
    }

    private static func stride(_ frameCount: Int) -> Int { (frameCount + 15) & ~15 }

    private static func byteCount(_ channelCount: Int, _ frameCount: Int) -> Int? {
        guard channelCount >= 0, frameCount >= 0, frameCount < Int.max - 15 else { return nil }
        let (samples, isTooMany) = stride(frameCount).multipliedReportingOverflow(by: channelCount)
        let (bytes, isTooBig) = samples.multipliedReportingOverflow(by: MemoryLayout<Float>.stride)
        return isTooMany || isTooBig ? nil : max(64, bytes)
    }

    private static var physicalByteCount: Int {
        let pageByteCount = sysconf(CInt(_SC_PAGESIZE))
        let (bytes, isTooBig) = sysconf(CInt(_SC_PHYS_PAGES)).multipliedReportingOverflow(by: pageByteCount)
        return isTooBig ? .max : bytes
    }

    private static func pointers(
        into memory: UnsafeMutableRawPointer, _ channelCount: Int, _ stride: Int
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        let samples = memory.bindMemory(to: Float.self, capacity: max(16, channelCount * stride))
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount { (pointers + channel).initialize(to: samples + channel * stride) }
        return pointers
    }
}
