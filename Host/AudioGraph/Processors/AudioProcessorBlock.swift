// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The buses, the time and the parameter values of a block that a processor renders. Render thread.

import Realtime
import Rendering

/// A block to render.
///
/// `[render]` Use it during the call only: the next call has other memory. Inputs are read, and never written: other nodes may read them,
/// too.
public struct AudioProcessorBlock {
    private let call: NodeCall
    /// The present values of the parameters.
    public let values: AudioProcessorValues

    @_noLocks
    init(_ call: NodeCall, _ values: AudioProcessorValues) { (self.call, self.values) = (call, values) }

    /// The number of frames to render.
    public var frameCount: Int { @_noLocks get { call.frameCount } }
    /// The number of input buses.
    public var inputCount: Int { @_noLocks get { call.inputCount } }
    /// The number of output buses.
    public var outputCount: Int { @_noLocks get { call.outputCount } }

    /// The first input bus; without channels if there are no inputs.
    public var input: AudioBlock { @_noLocks get { input(0) } }
    /// The first output bus; without channels if there are no outputs.
    public var output: AudioBlock { @_noLocks get { output(0) } }

    /// Returns an input bus; without channels for a bus that does not exist.
    @_noLocks
    public func input(_ bus: Int) -> AudioBlock {
        bus >= 0 && bus < call.inputCount ? call.inputs[bus].block : call.emptyBlock
    }

    /// Returns true if every sample of an input bus is zero.
    @_noLocks
    public func isSilent(_ bus: Int = 0) -> Bool {
        bus >= 0 && bus < call.inputCount ? call.inputs[bus].isSilent : true
    }

    /// Returns an output bus, silent at first; without channels for a bus that does not exist.
    @_noLocks
    public func output(_ bus: Int) -> AudioBlock {
        bus >= 0 && bus < call.outputCount ? call.outputs[bus].block : call.emptyBlock
    }

    /// Declares that every sample of an output bus is zero, so that later nodes need not check.
    @_noLocks
    public func setSilent(_ bus: Int = 0) {
        if bus >= 0, bus < call.outputCount { call.outputs[bus].isSilent = true }
    }

    /// The frames from the start of rendering to the first frame, at the node's own rate.
    public var sampleTime: Int64 { @_noLocks get { call.cycle.pointee.sampleTime } }
    /// The beginning of the cycle in CLOCK_MONOTONIC nanoseconds.
    public var hostTime: UInt64 { @_noLocks get { call.cycle.pointee.hostTime } }
    /// The rate in frames a second.
    public var sampleRate: Double { @_noLocks get { call.cycle.pointee.sampleRate } }
    /// The position in the song and the tempo at the first frame.
    public var transport: Transport { @_noLocks get { call.cycle.pointee.transport } }
}

extension NodeCall {
    /// The frame count of the outputs, or of the inputs if there are none.
    fileprivate var frameCount: Int {
        @_noLocks get {
            outputCount > 0 ? outputs[0].block.frameCount : inputCount > 0 ? inputs[0].block.frameCount : cycle.pointee.frameCount
        }
    }

    fileprivate var emptyBlock: AudioBlock {
        @_noLocks get { AudioBlock(channels: cycle.pointee.outputs.channels, channelCount: 0, frameCount: frameCount) }
    }
}
