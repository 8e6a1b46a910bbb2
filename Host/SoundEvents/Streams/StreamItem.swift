// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A scheduled buffer of a push stream, with its closure. Any thread but the render thread.

import AudioGraph
import Realtime

/// Owns a copy of a scheduled buffer.
final class StreamItem: @unchecked Sendable {
    // SAFETY: once it is scheduled, the render thread alone uses the core, until its outcome is there.
    let core: UnsafeMutablePointer<StreamItemCore>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: UnsafeMutablePointer<Float>
    private let completion: (@Sendable (StreamBufferEnding) -> Void)?

    init(_ buffer: AudioPCMBuffer, _ options: StreamBufferOptions, _ completion: (@Sendable (StreamBufferEnding) -> Void)?) {
        let (channelCount, frameCount) = (buffer.format.channels, buffer.frames)
        self.completion = completion
        memory = .allocate(capacity: max(1, channelCount * frameCount))
        memory.initialize(repeating: 0, count: max(1, channelCount * frameCount))
        channels = .allocate(capacity: max(1, channelCount))
        for channel in 0..<channelCount { (channels + channel).initialize(to: memory + channel * frameCount) }
        buffer.copy(
            0..<frameCount, into: AudioBlock(channels: UnsafePointer(channels), channelCount: channelCount, frameCount: frameCount))
        core = .allocate(capacity: 1)
        core.initialize(to: StreamItemCore(channels: channels, frameCount: frameCount, options: options))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        channels.deallocate()
        memory.deallocate()
    }

    /// The end of the buffer, if the render thread has let go of it.
    var ending: StreamBufferEnding? {
        switch core.pointee.outcome.load(ordering: .acquiring) {
        case StreamItemCore.Outcome.none: nil
        case StreamItemCore.Outcome.rendered: .rendered
        default: .stopped
        }
    }

    /// Calls the closure, outside of all locks; a buffer without an end was stopped.
    func tell() { completion?(ending ?? .stopped) }
}
