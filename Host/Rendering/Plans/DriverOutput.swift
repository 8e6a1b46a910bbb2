// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The nodes at the ends of a graph: the driver's recorded input, and its output, bus by bus. Render thread.

import CRealtimeShims
import Realtime

/// Hands signals to the driver.
///
/// The first input goes to the main outputs: a mono signal to every channel, and channels without a signal are silent. Each
/// further input goes to a bus of the driver's, whose channels lie behind the main ones.
public final class DriverOutput: RenderNode {
    // SAFETY: written only in init, and freed in deinit, when no plan holds the node.
    private nonisolated(unsafe) let buses: UnsafeMutablePointer<DriverBuses>

    /// Makes an output whose further buses have these channels, counted from the first one behind the main ones.
    public init(furtherChannels: [Range<Int>] = []) {
        buses = .allocate(capacity: 1)
        buses.initialize(to: DriverBuses(furtherChannels))
    }

    deinit {
        buses.pointee.deallocate()
        buses.deallocate()
    }

    /// The address of the buses' channels.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(buses) }

    /// Always true.
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
        // The driver may have ports for buses that this plan does not know yet.
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
            // The last mixer may have written directly into the driver's memory.
            if source < signal.channelCount, signal[source] == outputs[start + channel] { continue }
            if source < signal.channelCount {
                CRealtimeShims_copySamples(outputs[start + channel], signal[source], outputs.frameCount)
            } else {
                CRealtimeShims_clearSamples(outputs[start + channel], outputs.frameCount)
            }
        }
    }
}

/// Brings the driver's recorded input into a graph.
///
/// The first output gets the main input. Each further one gets a bus of the driver's, whose channels lie behind the main ones.
/// Channels that the driver does not have are silent.
public final class DriverInput: RenderNode {
    // SAFETY: written only in init, and freed in deinit, when no plan holds the node.
    private nonisolated(unsafe) let buses: UnsafeMutablePointer<DriverBuses>

    /// Makes an input whose further buses have these channels, counted from the first one behind the main ones.
    public init(furtherChannels: [Range<Int>] = []) {
        buses = .allocate(capacity: 1)
        buses.initialize(to: DriverBuses(furtherChannels))
    }

    deinit {
        buses.pointee.deallocate()
        buses.deallocate()
    }

    /// The address of the buses' channels.
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

    /// Passes inputs on in place.
    ///
    /// If the output has more channels, it is filled; without inputs it is marked silent.
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
