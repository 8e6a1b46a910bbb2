// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes at the ends of a graph: what the driver recorded, and what it plays, bus by bus. Render thread.

import CRealtimeShims
import Realtime

/// Hands signals to the driver.
///
/// The first input goes to the main outputs: a mono signal to every channel, and channels without a signal are silent. Each
/// further input goes to a bus of the driver's, whose channels lie behind the main ones.
public final class DriverOutput: RenderNode {
    // SAFETY: written in init alone, and freed in deinit, when no plan holds the node.
    private nonisolated(unsafe) let buses: UnsafeMutablePointer<DriverBuses>

    /// An output whose further buses have these channels, counted from the first one behind the main ones.
    public init(furtherChannels: [Range<Int>] = []) {
        buses = .allocate(capacity: 1)
        buses.initialize(to: DriverBuses(furtherChannels))
    }

    deinit {
        buses.pointee.deallocate()
        buses.deallocate()
    }

    /// Where the buses lie.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(buses) }

    /// It is one.
    public var isDriverOutput: Bool { true }

    /// The function that copies the inputs to the driver's outputs.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            DriverOutput.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let buses = context.assumingMemoryBound(to: DriverBuses.self).pointee
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let outputs = call.cycle.pointee.outputs
        let mainCount = outputs.channelCount - call.cycle.pointee.furtherOutputCount
        put(call.input, into: outputs, from: 0, mainCount)
        guard mainCount < outputs.channelCount else { return }
        // Ports may be there that no bus of this plan knows yet.
        for channel in mainCount..<outputs.channelCount { CRealtimeShims_clearSamples(outputs[channel], outputs.frameCount) }
        for bus in 0..<buses.busCount {
            guard bus + 1 < call.inputCount else { return }
            let (start, count) = buses.channels(ofBus: bus, behind: mainCount, of: outputs.channelCount)
            if !call.inputs[bus + 1].isSilent { put(call.inputs[bus + 1].block, into: outputs, from: start, count) }
        }
    }

    /// Writes a signal to some of the outputs.
    @_noLocks
    private static func put(_ signal: AudioBlock, into outputs: AudioBlock, from start: Int, _ count: Int) {
        for channel in 0..<count {
            let source = signal.channelCount == 1 ? 0 : channel
            // The last mixer may have written there itself.
            if source < signal.channelCount, signal[source] == outputs[start + channel] { continue }
            if source < signal.channelCount {
                CRealtimeShims_copySamples(outputs[start + channel], signal[source], outputs.frameCount)
            } else {
                CRealtimeShims_clearSamples(outputs[start + channel], outputs.frameCount)
            }
        }
    }
}

/// Brings what the driver recorded into a graph.
///
/// The first output gets the main input. Each further one gets a bus of the driver's, whose channels lie behind the main ones.
/// Channels that the driver does not have are silent.
public final class DriverInput: RenderNode {
    // SAFETY: written in init alone, and freed in deinit, when no plan holds the node.
    private nonisolated(unsafe) let buses: UnsafeMutablePointer<DriverBuses>

    /// An input whose further buses have these channels, counted from the first one behind the main ones.
    public init(furtherChannels: [Range<Int>] = []) {
        buses = .allocate(capacity: 1)
        buses.initialize(to: DriverBuses(furtherChannels))
    }

    deinit {
        buses.pointee.deallocate()
        buses.deallocate()
    }

    /// Where the buses lie.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(buses) }

    /// The function that takes the driver's inputs.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            DriverInput.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let buses = context.assumingMemoryBound(to: DriverBuses.self).pointee
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let inputCount = call.cycle.pointee.inputs.channelCount
        let mainCount = inputCount - call.cycle.pointee.furtherInputCount
        fill(call, 0, from: 0, mainCount)
        for bus in 0..<buses.busCount {
            guard bus + 1 < call.outputCount else { return }
            let (start, count) = buses.channels(ofBus: bus, behind: mainCount, of: inputCount)
            fill(call, bus + 1, from: start, count)
        }
    }

    /// Hands on inputs where they lie; fills the output where it has more channels, and declares it silent where there are none.
    @_noLocks
    private static func fill(_ call: NodeCall, _ bus: Int, from start: Int, _ count: Int) {
        guard count > 0 else {
            call.outputs[bus].isSilent = true
            return
        }
        let (inputs, output) = (call.cycle.pointee.inputs, call.outputs[bus].block)
        guard count < output.channelCount else {
            call.outputs[bus].block = AudioBlock(
                channels: inputs.channels + start, channelCount: output.channelCount, frameCount: output.frameCount)
            return
        }
        for channel in 0..<output.channelCount {
            if channel < count {
                CRealtimeShims_copySamples(output[channel], inputs[start + channel], output.frameCount)
            } else {
                CRealtimeShims_clearSamples(output[channel], output.frameCount)
            }
        }
    }
}
