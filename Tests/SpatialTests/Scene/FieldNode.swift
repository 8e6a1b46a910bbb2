// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source of a sound field. Test thread makes it, render thread plays it.

import Realtime
import Rendering
import Spatial

/// Plays a constant from a direction as a sound field of order 3.
final class FieldNode: RenderNode {
    // SAFETY: never changes after init.
    private nonisolated(unsafe) let gains: UnsafeMutablePointer<Float>

    init(direction: SpacePoint) {
        gains = .allocate(capacity: 16)
        for (channel, gain) in SphericalHarmonics.encode(direction).enumerated() { (gains + channel).initialize(to: Float(gain)) }
    }

    deinit { gains.deallocate() }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(gains) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            FieldNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let gains = context.assumingMemoryBound(to: Float.self)
        let block = call.assumingMemoryBound(to: NodeCall.self).pointee.outputs[0].block
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount { block[channel][frame] = channel < 16 ? 0.5 * gains[channel] : 0 }
        }
    }
}
