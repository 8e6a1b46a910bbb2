// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source whose samples follow from their frame, however long blocks are. Test thread makes it, render thread plays it.

import Realtime
import Rendering

/// A source of noise that falls silent at a frame.
package final class NoiseNode: RenderNode {
    private struct Core {
        let seed: Int
        let end: Int
    }

    // SAFETY: never changes after init.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    /// Noise up to a frame; each seed sounds otherwise.
    package init(seed: Int, until end: Int = .max) {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(seed: seed, end: end))
    }

    deinit { core.deallocate() }

    package var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    package var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            NoiseNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let core = context.assumingMemoryBound(to: Core.self).pointee
        let start = Int(truncatingIfNeeded: call.cycle.pointee.sampleTime)
        if !Noise.fill(call.outputs[0].block, seed: core.seed, from: start, until: core.end) { call.outputs[0].isSilent = true }
    }
}

/// Samples that follow from their frame.
package enum Noise {
    /// The sample of a channel at a frame, between −0.25 and 0.25, and never 0.
    @_noLocks
    package static func sample(seed: Int, channel: Int, frame: Int) -> Float {
        Float((frame &* 7919 &+ channel &* 31 &+ seed &* 1009) % 2003) / 4006 - 0.249_9
    }

    /// Fills a block from a frame on; false where all of it lies behind the end.
    @_noLocks
    package static func fill(_ block: AudioBlock, seed: Int, from start: Int, until end: Int = .max) -> Bool {
        guard start < end else { return false }
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount {
                let time = start &+ frame
                block[channel][frame] = time < end ? sample(seed: seed, channel: channel, frame: time) : 0
            }
        }
        return true
    }
}
