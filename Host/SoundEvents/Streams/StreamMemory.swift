// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the render thread reads for one stream of an event. Control thread; the render thread uses the memory.

import AudioFormats
import Realtime
import Synchronization

/// Owns the window of a stream, its gain and its rate.
final class StreamMemory: @unchecked Sendable {
    // SAFETY: before the start one thread at a time uses it, under the lock of the running events. From then on the render thread uses
    // the core and the ramps, and other threads the core's atomics.
    let stream: SoundStream
    /// The rate and the channels that the program has to give.
    let format: AudioFormat
    let core: UnsafeMutablePointer<StreamCore>
    /// The program's gain and rate.
    let ramps: UnsafeMutablePointer<Ramp>
    /// The renderer of a pull stream.
    let renderer: StreamRenderer?
    let pace: Double

    init(_ stream: SoundStream, isPull: Bool, engineRate: Double) {
        let rate = stream.sampleRate ?? engineRate
        (self.stream, pace) = (stream, rate / engineRate)
        format = AudioFormat(sampleRate: rate, channelCount: stream.channelCount, layout: stream.layout)
        let renderer = isPull ? StreamRenderer() : nil
        self.renderer = renderer
        ramps = .allocate(capacity: 2)
        ramps.initialize(repeating: Ramp(1), count: 2)
        core = .allocate(capacity: 1)
        core.initialize(
            to: StreamCore(
                channelCount: stream.channelCount, function: renderer == nil ? nil : StreamRenderer.function,
                context: renderer.map { Unmanaged.passUnretained($0).toOpaque() }))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        ramps.deallocate()
    }
}
