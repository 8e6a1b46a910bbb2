// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source of a tone or of a constant. Test thread makes it, render thread plays it.

import Realtime
import Rendering

/// A sine of half the full scale, or a constant of 0.5 at 0 Hz.
final class ToneNode: RenderNode {
    private struct Core {
        let turn: Double
    }

    // SAFETY: never changes after init.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>

    init(hertz: Double) {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(turn: 2 * Double.pi * hertz / 48_000))
    }

    deinit { core.deallocate() }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            ToneNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let turn = context.assumingMemoryBound(to: Core.self).pointee.turn
        let block = call.outputs[0].block
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount {
                let time = call.cycle.pointee.sampleTime &+ Int64(frame)
                block[channel][frame] = Float(0.5 * Maths.cos(turn * Double(time)))
            }
        }
    }
}
