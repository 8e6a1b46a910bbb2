// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Planar audio memory with an owner: the control thread allocates it, the render thread reads and writes it.

/// Planar audio memory of a fixed size, with each channel aligned to a cache line.
public struct AudioBuffer: ~Copyable {
    /// The number of channels.
    public let channelCount: Int
    /// The largest number of frames in a block.
    public let frameCapacity: Int
    private let storage: UnsafeMutablePointer<Float>
    private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    /// `[control]` Allocates silence; neither count may be negative.
    public init(channelCount: Int, frameCapacity: Int) {
        let stride = (frameCapacity + 15) & ~15
        let sampleCount = max(1, channelCount * stride)
        let raw = UnsafeMutableRawPointer.allocate(byteCount: sampleCount * MemoryLayout<Float>.stride, alignment: 64)
        storage = raw.bindMemory(to: Float.self, capacity: sampleCount)
        storage.initialize(repeating: 0, count: sampleCount)
        pointers = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount { (pointers + channel).initialize(to: storage + channel * stride) }
        self.channelCount = channelCount
        self.frameCapacity = frameCapacity
    }

    deinit {
        pointers.deallocate()
        storage.deallocate()
    }

    /// `[render]` The first `frameCount` frames of every channel; `frameCount` must not exceed `frameCapacity`.
    @_noLocks
    public borrowing func block(frameCount: Int) -> AudioBlock {
        AudioBlock(channels: UnsafePointer(pointers), channelCount: channelCount, frameCount: frameCount)
    }
}
