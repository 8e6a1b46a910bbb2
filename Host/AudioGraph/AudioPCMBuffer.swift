// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Samples in memory, for players and for rendering by hand. Any thread, one at a time.

import Glibc
import PluginHosting
import Realtime

/// Planar 32-bit float samples of a format.
///
/// A buffer that is scheduled is read by the render thread: leave its samples alone until its completion.
public final class AudioPCMBuffer: @unchecked Sendable {
    // SAFETY: the program says who uses the samples when; the length is set before the buffer is handed over.
    /// The format.
    public let format: AudioFormat
    /// The most frames that the buffer holds.
    public let frameCapacity: Int
    private let memory: AudioBuffer
    private var length = 0

    /// Allocates silence of `frameLength` 0; nil for a format without channels or beyond 255, for no frames, or for
    /// more than the machine's memory holds.
    public convenience init?(pcmFormat format: AudioFormat, frameCapacity: Int) {
        guard let memory = Self.memory(pcmFormat: format, frameCapacity: frameCapacity) else { return nil }
        self.init(format, memory)
    }

    init(_ format: AudioFormat, _ memory: consuming AudioBuffer) {
        self.format = format
        frameCapacity = memory.frameCapacity
        self.memory = memory
    }

    /// The bytes of the machine's memory.
    private static let machineByteCount = max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE)))

    /// Memory for so many frames; nil where that is impossible.
    static func memory(pcmFormat format: AudioFormat, frameCapacity: Int) -> AudioBuffer? {
        guard (1...255).contains(format.channelCount), format.sampleRate > 0, format.sampleRate.isFinite,
            (1...1 << 40).contains(frameCapacity),
            frameCapacity * format.channelCount * MemoryLayout<Float>.size <= machineByteCount
        else { return nil }
        return AudioBuffer(channelCount: format.channelCount, frameCapacity: frameCapacity)
    }

    /// The frames that hold sound; values beyond the capacity are clamped.
    public var frameLength: Int {
        get { length }
        set { length = max(0, min(frameCapacity, newValue)) }
    }

    /// The samples of each channel, for `frameLength` frames; valid as long as the buffer lives.
    public var floatChannelData: AudioBlock { memory.block(frameCount: length) }
}
