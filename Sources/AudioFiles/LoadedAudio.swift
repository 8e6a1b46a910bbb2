// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A whole file in memory, planar. Loaded on the control thread, then played from any.

import Glibc

/// Planar audio that owns its memory; every channel starts on a cache line.
///
/// `channels` and the counts fit an `AudioBlock` as they are; like the channels' buffers, it is good only while
/// somebody holds the object.
public final class LoadedAudio: @unchecked Sendable {
    // SAFETY: nothing but the samples can change after loading, and whoever shares the object
    // agrees, as with any audio memory, that only an exclusive holder writes samples.

    /// One pointer a channel, each good for `frameCount` samples.
    public let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    public let channelCount: Int
    public private(set) var frameCount: Int
    /// Frames a second.
    public let sampleRate: Double

    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int

    /// `[control]` Silence; nil when there isn't that much memory or a count is negative.
    ///
    /// The system hands pages out as they are first written, so a length that turns out to be a lie costs nothing.
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

    /// One channel's samples. The caller keeps `channel` below `channelCount`.
    public subscript(channel: Int) -> UnsafeMutableBufferPointer<Float> {
        UnsafeMutableBufferPointer(start: channels[channel], count: frameCount)
    }

    /// Forgets frames at the end, before anybody else has seen the object.
    func shorten(to count: Int) { frameCount = min(frameCount, max(0, count)) }

    /// The bytes that so much audio takes, saturating.
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
