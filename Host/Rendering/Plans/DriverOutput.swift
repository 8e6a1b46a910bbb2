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
/// The first output gets the main input. Each further one gets a bus of the driver's, whose channels are the last inputs.
/// Channels that the driver does not have are silent.
public final class DriverInput: RenderNode {
    private struct Layout {
        /// The channels of each further bus.
        let channelCounts: UnsafeMutableBufferPointer<Int>
        /// Their sum.
        let furtherCount: Int
    }

    // SAFETY: written in init alone, and freed in deinit, when no plan holds the node.
    private nonisolated(unsafe) let layout: UnsafeMutablePointer<Layout>

    /// An input with further buses of so many channels.
    public init(furtherChannelCounts: [Int] = []) {
        let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: furtherChannelCounts.count)
        _ = counts.initialize(from: furtherChannelCounts)
        layout = .allocate(capacity: 1)
        layout.initialize(to: Layout(channelCounts: counts, furtherCount: furtherChannelCounts.reduce(0, +)))
    }

    deinit {
        layout.pointee.channelCounts.deallocate()
        layout.deallocate()
    }

    /// Where the buses lie.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(layout) }

    /// The function that takes the driver's inputs.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            DriverInput.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let layout = context.assumingMemoryBound(to: Layout.self).pointee
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        // A driver that has not even the further channels has no inputs.
        let mainCount = call.cycle.pointee.inputs.channelCount - layout.furtherCount
        fill(call, 0, from: 0, mainCount)
        var start = mainCount
        for bus in 0..<layout.channelCounts.count {
            guard bus + 1 < call.outputCount else { return }
            let count = layout.channelCounts[bus]
            fill(call, bus + 1, from: start, mainCount < 0 ? 0 : count)
            start += count
        }
    }

    /// Fills an output with inputs, or declares it silent where there are none.
    @_noLocks
    private static func fill(_ call: NodeCall, _ bus: Int, from start: Int, _ count: Int) {
        guard count > 0 else {
            call.outputs[bus].isSilent = true
            return
        }
        let (inputs, output) = (call.cycle.pointee.inputs, call.outputs[bus].block)
        for channel in 0..<output.channelCount {
            if channel < count {
                CRealtimeShims_copySamples(output[channel], inputs[start + channel], output.frameCount)
            } else {
                CRealtimeShims_clearSamples(output[channel], output.frameCount)
            }
        }
    }
}
