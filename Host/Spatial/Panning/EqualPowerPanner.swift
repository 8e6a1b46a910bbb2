// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Pans a source, on a connection or for a voice. Any thread sets it; the render thread calls its function.

import Realtime
import Rendering
import Synchronization

/// An equal-power panner: the processor of a connection to a node that places sources in space.
///
/// The channels of the source are averaged, filtered and panned to the left and the right. The channels may also go through as they are.
/// Changes glide over 20 ms. `[any]`
public final class EqualPowerPanner: ConnectionProcessor {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<EqualPowerPannerCore>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<EqualPowerPannerCore.Shared>

    /// A panner for a source that has not been heard yet.
    public init(_ gains: PannerGains = PannerGains()) {
        shared = .allocate(capacity: 1)
        shared.initialize(to: EqualPowerPannerCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: EqualPowerPannerCore(shared: shared))
        set(gains)
    }

    deinit {
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Sets all gains; only one thread at a time may call it.
    ///
    /// Gains that are not finite count as 0; a cutoff of NaN turns the filter off.
    public func set(_ gains: PannerGains) { shared.pointee.set(gains.bounded) }

    /// Blocks for two gains, and for the samples of the point or the gain of channels that go through.
    public var scratchBlockCount: Int { EqualPowerPannerCore.scratchBlockCount }

    /// The panner's render state, the same for each shape.
    public func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that adds the source to a bus.
    public var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            EqualPowerPanner.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: ConnectionCall.self)
        context.assumingMemoryBound(to: EqualPowerPannerCore.self).pointee.process(call.pointee)
    }
}
