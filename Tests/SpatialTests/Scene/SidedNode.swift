// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source of two channels, of which one is silent. Test thread makes it, render thread plays it.

import Realtime
import Rendering

/// Plays a constant of 0.5 on its first channel alone.
final class SidedNode: RenderNode {
    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: 1)! }

    var renderFunction: Function {
        { _, call in
            guard let call else { return }
            SidedNode.render(call)
        }
    }

    @_noLocks
    private static func render(_ call: UnsafeRawPointer) {
        let block = call.assumingMemoryBound(to: NodeCall.self).pointee.outputs[0].block
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount { block[channel][frame] = channel == 0 ? 0.5 : 0 }
        }
    }
}
