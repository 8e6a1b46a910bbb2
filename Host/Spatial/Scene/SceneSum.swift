// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sums of a mixer whose sources are around a listener: a sound field and the ears of heads. Control and render thread.

import Rendering

/// The sum of a mixer for the sources of `SpatialProcessor`: a sound field, and the ears of each head.
public final class SceneSum: MixerSum {
    /// The sums as processors find them in `ConnectionCall.sum`.
    struct Core {
        let field: UnsafeMutablePointer<SoundFieldSum.Core>
        let heads: UnsafeMutablePointer<HeadSums.Fields>
    }

    /// The sound field of all sources that use it.
    public let field = SoundFieldSum()
    /// The sums of all sources that a head hears.
    let heads = HeadSums()
    // SAFETY: the core does not change after init; only the render thread uses what it points to.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// The frames by which the ears of heads lag.
    public static var headLatencyFrameCount: Int { HeadField.latencyFrameCount }

    /// Makes sums without sources.
    public init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(field: field.core, heads: heads.fields))
    }

    deinit { core.deallocate() }

    /// The memory that processors add into.
    public var sumContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that adds the field and all ears to the bus.
    public var finishFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SceneSum.finish(context, call)
        }
    }

    /// `[control]` Makes the sums for heads at a sample rate, whose blocks of 64 frames count from the next cycle on.
    public func prepareHeads(sampleRate: Double) { heads.prepare(HeadFormat(sampleRate: sampleRate).transformSize) }

    /// Finishes the field and the heads one by one, for a node that gives them different delays.
    public struct Finisher {
        fileprivate let core: UnsafeMutablePointer<Core>

        /// `[render]` Adds the decoded field to a bus.
        @_noLocks
        public func finishField(_ call: FinishCall) { core.pointee.field.pointee.finish(call) }

        /// `[render]` Adds the ears of all heads to a bus.
        @_noLocks
        public func finishHeads(_ call: FinishCall) { core.pointee.heads.pointee.finish(call) }
    }

    /// The finisher, which is valid as long as this object.
    public var finisher: Finisher { Finisher(core: core) }

    @_noLocks
    private static func finish(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: FinishCall.self)
        let core = context.assumingMemoryBound(to: Core.self)
        core.pointee.field.pointee.finish(call.pointee)
        core.pointee.heads.pointee.finish(call.pointee)
    }
}
