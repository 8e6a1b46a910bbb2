// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes at the ends of a graph: what the driver recorded, and what it plays. Render thread.

import CRealtimeShims
import Realtime

/// Hands a signal to the driver.
///
/// A mono signal goes to every channel, and channels without a signal are silent.
public final class DriverOutput: RenderNode {
    /// An output.
    public init() {}

    /// The address of the node itself: it has no state.
    public var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The function that copies the input to the driver's outputs.
    public var renderFunction: Function {
        { _, call in
            guard let call else { return }
            DriverOutput.render(call)
        }
    }

    @_noLocks
    private static func render(_ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let (signal, outputs) = (call.input, call.cycle.pointee.outputs)
        for channel in 0..<outputs.channelCount {
            let source = signal.channelCount == 1 ? 0 : channel
            if source < signal.channelCount {
                CRealtimeShims_copySamples(outputs[channel], signal[source], outputs.frameCount)
            } else {
                CRealtimeShims_clearSamples(outputs[channel], outputs.frameCount)
            }
        }
    }
}

/// Brings what the driver recorded into a graph.
///
/// Channels that the driver does not have are silent.
public final class DriverInput: RenderNode {
    /// An input.
    public init() {}

    /// The address of the node itself: it has no state.
    public var renderContext: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The function that takes the driver's inputs.
    public var renderFunction: Function {
        { _, call in
            guard let call else { return }
            DriverInput.render(call)
        }
    }

    @_noLocks
    private static func render(_ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let inputs = call.cycle.pointee.inputs
        guard inputs.channelCount > 0 else {
            call.outputs.pointee.isSilent = true
            return
        }
        let output = call.output
        for channel in 0..<output.channelCount {
            if channel < inputs.channelCount {
                CRealtimeShims_copySamples(output[channel], inputs[channel], output.frameCount)
            } else {
                CRealtimeShims_clearSamples(output[channel], output.frameCount)
            }
        }
    }
}
