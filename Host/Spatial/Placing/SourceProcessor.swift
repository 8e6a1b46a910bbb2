// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a source by equal power or through a head, and changes between them while it sounds. Any thread sets it.

import Realtime
import Rendering
import Synchronization

/// The processor of a connection to a listener: a panner, and a head as soon as one is chosen.
///
/// All methods sound together, each at its own level, so a change between them is a fade over 20 ms. `[any]`
public final class SourceProcessor: ConnectionProcessor {
    /// A head in the list of heads that the render thread calls.
    private struct Link {
        let function: ConnectionFunction
        let next: UnsafeMutablePointer<Link>?
    }

    private struct Core: ~Copyable {
        let panner: ConnectionFunction
        /// The heads; the last one that was chosen for the first time comes first.
        let heads = Atomic<UnsafeMutablePointer<Link>?>(nil)
    }

    private struct Head {
        let responses: HeadResponses
        let processor: HeadProcessor
    }

    private let panner: EqualPowerPanner
    private let sum: HeadMixerSum
    // SAFETY: the core's parts are constants and an atomic.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    /// Every head that was chosen; none goes before the processor goes, because a plan may still call it.
    private let heads = Mutex<[Head]>([])

    /// A processor for a source that has not been heard, whose heads add to `sum`.
    public init(addingTo sum: HeadMixerSum) {
        self.sum = sum
        panner = EqualPowerPanner()
        core = .allocate(capacity: 1)
        core.initialize(to: Core(panner: ConnectionFunction(panner, for: Self.anyShape)))
    }

    /// Panners and heads have the same state for each shape.
    private static let anyShape = ConnectionShape(sourceChannelCount: 1, channelCount: 2, sampleRate: 48_000, maximumFrameCount: 1)

    deinit {
        // Relaxed: no other thread has the processor any more.
        var link = core.pointee.heads.load(ordering: .relaxed)
        while let this = link {
            link = this.pointee.next
            this.deallocate()
        }
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// Renders the source by equal power.
    public func pan(_ gains: PannerGains) {
        panner.set(gains)
        heads.withLock { heads in for head in heads { head.processor.fadeOut() } }
    }

    /// Renders the source through a head; channels that go through as they are still do.
    public func hear(_ target: HeadTarget, through responses: HeadResponses, beside gains: PannerGains) {
        var gains = gains
        (gains.left, gains.right) = (0, 0)
        panner.set(gains)
        heads.withLock { heads in
            for head in heads where head.responses !== responses { head.processor.fadeOut() }
            processor(for: responses, &heads).set(target, cutoffHertz: gains.cutoffHertz)
        }
    }

    private func processor(for responses: HeadResponses, _ heads: inout [Head]) -> HeadProcessor {
        if let known = heads.first(where: { $0.responses === responses }) { return known.processor }
        let new = HeadProcessor(responses, addingTo: sum)
        heads.append(Head(responses: responses, processor: new))
        let link = UnsafeMutablePointer<Link>.allocate(capacity: 1)
        let next = core.pointee.heads.load(ordering: .relaxed)
        link.initialize(to: Link(function: ConnectionFunction(new, for: Self.anyShape), next: next))
        // Releasing: the render thread finds the link complete. The lock admits one writer.
        core.pointee.heads.store(link, ordering: .releasing)
        return new
    }

    /// As many as the panner or a head needs.
    public var scratchBlockCount: Int { max(EqualPowerPannerCore.scratchBlockCount, HeadProcessorCore.scratchBlockCount) }

    /// The render state, the same for each shape.
    public func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that adds the source to the bus and to the sum.
    public var processFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SourceProcessor.process(context, call)
        }
    }

    @_noLocks
    private static func process(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let core = context.assumingMemoryBound(to: Core.self)
        let call = call.assumingMemoryBound(to: ConnectionCall.self)
        core.pointee.panner.process(call)
        var isRinging = call.pointee.isRinging.pointee
        // Acquiring: the link is complete.
        var link = core.pointee.heads.load(ordering: .acquiring)
        while let this = link {
            this.pointee.function.process(call)
            isRinging = isRinging || call.pointee.isRinging.pointee
            link = this.pointee.next
        }
        call.pointee.isRinging.pointee = isRinging
    }
}
