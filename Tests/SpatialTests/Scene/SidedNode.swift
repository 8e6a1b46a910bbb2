// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A source that sounds on one of its channels alone. Test thread makes it, render thread plays it.

import Realtime
import Rendering

/// Plays a constant of 0.5 on one channel alone, without a choice on the first one.
final class SidedNode: RenderNode {
    private let channel: Int

    init(channel: Int = 0) { self.channel = channel }

    /// The number of the channel, from 1 on.
    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(bitPattern: channel + 1)! }

    var renderFunction: Function {
        { context, call in
            guard let call else { return }
            SidedNode.render(Int(bitPattern: context) - 1, call)
        }
    }

    @_noLocks
    private static func render(_ sounding: Int, _ call: UnsafeRawPointer) {
        let block = call.assumingMemoryBound(to: NodeCall.self).pointee.outputs[0].block
        for channel in 0..<block.channelCount {
            for frame in 0..<block.frameCount { block[channel][frame] = channel == sounding ? 0.5 : 0 }
        }
    }
}
