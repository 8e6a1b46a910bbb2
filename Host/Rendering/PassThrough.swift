// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Stands in for a unit that cannot render: passes its input on. Render thread.

import CRealtimeShims
import Realtime

/// Copies the first input to the first output, and leaves the other outputs silent.
///
/// A mono input goes to every channel. Channels without an input are silent.
public final class PassThrough: RenderNode {
    /// Makes a node that passes its input on.
    public init() {}

    /// The address of the node itself: it has no state.
    public var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The function that copies the input to the output.
    public var renderFunction: Function {
        { _, call in
            guard let call else { return }
            PassThrough.render(call)
        }
    }

    @_noLocks
    private static func render(_ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        for bus in 0..<call.outputCount {
            if bus == 0, call.inputCount > 0 {
                copy(call.inputs[0].block, to: call.outputs[0].block)
            } else {
                call.outputs[bus].block.silence()
            }
        }
    }

    @_noLocks
    private static func copy(_ input: AudioBlock, to output: AudioBlock) {
        for channel in 0..<output.channelCount {
            let source = input.channelCount == 1 ? 0 : channel
            if source < input.channelCount {
                CRealtimeShims_copySamples(output[channel], input[source], output.frameCount)
            } else {
                CRealtimeShims_clearSamples(output[channel], output.frameCount)
            }
        }
    }
}
