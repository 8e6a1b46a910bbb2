// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets a head hear a source, on a connection or for a voice. Any thread sets it; the render thread calls its function.

import Realtime
import Rendering
import Synchronization

/// The processor of a connection that a head hears: it adds the mean of the source's channels to the sum of a mixer.
///
/// The sum lags by 64 frames, which is the processor's latency. Places and levels change in blocks of 64 frames, whatever the length of a
/// cycle, and glide over 20 ms. The gain of the connection lies before the filters. A `SpatialProcessor` calculates the place itself. `[any]`
public final class HeadProcessor: ConnectionProcessor {
    // SAFETY: only the render thread uses the core; the target consists of atomics.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<HeadProcessorCore>
    private nonisolated(unsafe) let target: UnsafeMutablePointer<HeadProcessorCore.Target>
    /// It keeps the filters alive.
    private let responses: HeadResponses

    /// A processor for a source that has not been heard, which adds to `sum`.
    public init(_ responses: HeadResponses, addingTo sum: SceneSum) {
        sum.heads.prepare(responses.format.transformSize)
        self.responses = responses
        target = .allocate(capacity: 1)
        target.initialize(to: HeadProcessorCore.Target())
        core = .allocate(capacity: 1)
        core.initialize(to: HeadProcessorCore(target: target, voice: HeadVoice(responses.table)))
    }

    deinit {
        core.pointee.voice.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
        target.deinitialize(count: 1)
        target.deallocate()
    }

    /// Sets place, level and the cutoff of obstacles in hertz; only one thread at a time may call it.
    ///
    /// A place that is not finite counts as the front, a level that is not finite as 0. A cutoff of NaN turns the filter off.
    public func set(_ new: HeadTarget, cutoffHertz: Float = .infinity) {
        target.pointee.set(new.bounded, cutoffHertz: cutoffHertz.isNaN ? .infinity : max(1, cutoffHertz))
    }

    /// The frames of a block.
    public var latencyFrameCount: Int { HeadField.latencyFrameCount }

    /// A block for the samples, and one for their gains.
    public var scratchBlockCount: Int { HeadProcessorCore.scratchBlockCount }

    /// The render state, the same for each shape.
    public func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that adds the source to the sum.
    public var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            HeadProcessor.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: ConnectionCall.self)
        let core = context.assumingMemoryBound(to: HeadProcessorCore.self)
        core.pointee.process(call.pointee)
        call.pointee.isRinging.pointee = core.pointee.isRinging
    }
}
