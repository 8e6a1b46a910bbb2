// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sum that belongs to a node, and a connection's processor that adds into it. Test and render thread.

import Realtime
import Rendering

/// Memory in which two channels are added up, for a mixer or for a node that renders.
struct StereoSum {
    let samples: UnsafeMutablePointer<Float>
    static let frameCapacity = 4096

    init() {
        samples = .allocate(capacity: 2 * Self.frameCapacity)
        samples.initialize(repeating: 0, count: 2 * Self.frameCapacity)
    }

    @_noLocks
    func channel(_ index: Int) -> UnsafeMutablePointer<Float> { samples + index &* 4096 }

    /// Moves the sum into a block.
    @_noLocks
    func finish(into block: AudioBlock) {
        for index in 0..<min(2, block.channelCount) {
            let (from, to) = (channel(index), block[index])
            for frame in 0..<block.frameCount {
                to[frame] += from[frame]
                from[frame] = 0
            }
        }
    }
}

/// Adds its source to the sum of the node, and nothing to the bus.
final class SummingProcessor: ConnectionProcessor {
    // SAFETY: never changes after init.
    private nonisolated(unsafe) let unused = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

    deinit { unused.deallocate() }

    func processContext(for shape: ConnectionShape) -> UnsafeMutableRawPointer { unused }

    var scratchBlockCount: Int { 1 }

    var processFunction: Function {
        { _, call in
            guard let call else { return }
            SummingProcessor.process(call)
        }
    }

    @_noLocks
    private static func process(_ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: ConnectionCall.self).pointee
        guard let sum = call.sum?.assumingMemoryBound(to: StereoSum.self).pointee, !call.input.isSilent else { return }
        let gains = call.scratchBlock(0)
        var unity = SmoothedValue(1)
        call.writeGains(times: &unity, to: gains)
        for channel in 0..<min(2, call.input.block.channelCount) {
            let (from, to) = (call.input.block[channel], sum.channel(channel))
            for frame in 0..<call.frameCount { to[frame] += from[frame] * gains[frame] }
        }
    }
}

/// A mixer's sum.
final class StereoMixerSum: MixerSum {
    // SAFETY: after init the render thread alone uses the memory.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<StereoSum>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: StereoSum())
    }

    deinit {
        core.pointee.samples.deallocate()
        core.deallocate()
    }

    var sumContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var finishFunction: Function {
        { context, call in
            guard let context, let call else { return }
            StereoMixerSum.finish(context, call)
        }
    }

    @_noLocks
    private static func finish(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: FinishCall.self).pointee
        context.assumingMemoryBound(to: StereoSum.self).pointee.finish(into: call.output.pointee.open())
    }
}

/// A node that renders, and finishes its sum itself.
final class StereoSumNode: RenderNode {
    // SAFETY: after init the render thread alone uses the memory.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<StereoSum>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: StereoSum())
    }

    deinit {
        core.pointee.samples.deallocate()
        core.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }
    var sumContext: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            StereoSumNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let output = call.assumingMemoryBound(to: NodeCall.self).pointee.output
        output.silence()
        context.assumingMemoryBound(to: StereoSum.self).pointee.finish(into: output)
    }
}
