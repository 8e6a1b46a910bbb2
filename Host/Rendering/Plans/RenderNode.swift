// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node of a plan: a function, its context, and the buses that it reads and writes. Render thread.

import CRealtimeShims
import Realtime

/// The audio of one bus during a cycle.
public struct BusAudio {
    /// The samples.
    public var block: AudioBlock
    /// True if every sample is zero.
    ///
    /// A node that sets it for an output need not write the block: its readers get zeros.
    public var isSilent: Bool

    /// Makes the audio of a bus.
    @_noLocks
    public init(block: AudioBlock, isSilent: Bool = false) {
        self.block = block
        self.isSilent = isSilent
    }
}

/// The arguments of a node: the cycle, its inputs and the outputs to fill.
public struct NodeCall {
    /// The cycle to render.
    public let cycle: UnsafePointer<RenderCycle>
    /// The signal of each input bus; an unconnected one is silent.
    public let inputs: UnsafePointer<BusAudio>
    /// The number of input buses.
    public let inputCount: Int
    /// The block of each output bus to fill.
    ///
    /// A node may replace it by a block of its own with the same shape. That block must not change until the end of the cycle.
    public let outputs: UnsafeMutablePointer<BusAudio>
    /// The number of output buses.
    public let outputCount: Int
    /// True if a unit that a node of this cycle waits for has been late.
    ///
    /// A node that finds a unit late sets it. Units on the same processor may then be late because of that unit.
    public let hasBeenLate: UnsafeMutablePointer<Bool>

    @_noLocks
    package init(
        cycle: UnsafePointer<RenderCycle>, inputs: UnsafePointer<BusAudio>, inputCount: Int,
        outputs: UnsafeMutablePointer<BusAudio>, outputCount: Int, hasBeenLate: UnsafeMutablePointer<Bool>
    ) {
        self.cycle = cycle
        self.inputs = inputs
        self.inputCount = inputCount
        self.outputs = outputs
        self.outputCount = outputCount
        self.hasBeenLate = hasBeenLate
    }

    /// The input of a node with one input; the driver's recorded input, for a node without any.
    public var input: AudioBlock {
        @_noLocks get { inputCount > 0 ? inputs[0].block : cycle.pointee.inputs }
    }

    /// The output of a node with one output; a block without channels, for a node without any.
    public var output: AudioBlock {
        @_noLocks get {
            if outputCount > 0 { return outputs[0].block }
            let played = cycle.pointee.outputs
            return AudioBlock(channels: played.channels, channelCount: 0, frameCount: played.frameCount)
        }
    }
}

/// A node that a plan can render: a player, a unit, an output.
///
/// `[render]` `renderFunction` gets `renderContext` and a pointer to a `NodeCall`. It and every function that it calls must be
/// `@_noLocks`. The plan keeps the node alive.
public protocol RenderNode: AnyObject, Sendable {
    /// The C function that renders a node.
    typealias Function = CRealtimeShims_RenderFunction
    /// The function to call for each cycle.
    var renderFunction: Function { get }
    /// The first argument of each call.
    var renderContext: UnsafeMutableRawPointer { get }
    /// The delay of the node's output behind its input, in frames.
    var latencyFrameCount: Int { get }
    /// Memory that the processors of the node's connections may add into; nil for none.
    ///
    /// They find it in `ConnectionCall.sum`. The plan calls `renderFunction` after all of them: it finishes and empties the sum.
    var sumContext: UnsafeMutableRawPointer? { get }
    /// True if the node hands its first input to the driver unchanged; a mixer may then write into the driver's memory.
    var isDriverOutput: Bool { get }
}

/// A node that has other threads render for it, and need not wait for them at once.
///
/// `[render]` The plan begins several of these that do not read each other. It then waits for them, the last one first, and
/// completes them, the first one first. So their threads render at the same time, and this thread wakes once if they share a
/// processor. `renderFunction` completes a node that has begun in the same cycle; otherwise it renders the whole node.
public protocol ConcurrentNode: RenderNode {
    /// `[render]` Takes the inputs, and makes the other threads begin.
    ///
    /// The outputs may not be written yet.
    var beginFunction: Function { get }
    /// `[render]` Waits until the other threads are done, or the deadline has come.
    var awaitFunction: Function { get }
}

extension RenderNode {
    /// 0, unless the node has a latency.
    public var latencyFrameCount: Int { 0 }
    /// Nil, unless the node has a sum beside its inputs.
    public var sumContext: UnsafeMutableRawPointer? { nil }
    /// False, unless the node is an output.
    public var isDriverOutput: Bool { false }

    /// The function to call for a part of a node's work.
    func function(_ kind: NodePart.Kind) -> Function {
        guard let node = self as? any ConcurrentNode else { return renderFunction }
        return switch kind {
        case .whole, .completion: renderFunction
        case .beginning: node.beginFunction
        case .waiting: node.awaitFunction
        }
    }
}
