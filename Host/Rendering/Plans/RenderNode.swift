// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node of a plan: a function, its context, and the buses that it reads and writes. Render thread.

import CRealtimeShims
import Realtime

/// The audio of one bus during a cycle.
public struct BusAudio {
    /// The samples.
    public var block: AudioBlock
    /// Whether every sample is zero.
    ///
    /// A node that sets this for an output need not write the block: its readers get zeros.
    public var isSilent: Bool

    /// The audio of a bus.
    @_noLocks
    public init(block: AudioBlock, isSilent: Bool = false) {
        self.block = block
        self.isSilent = isSilent
    }
}

/// What a node is called with: the cycle, its inputs and the outputs that it fills.
public struct NodeCall {
    /// The cycle to render.
    public let cycle: UnsafePointer<RenderCycle>
    /// The signal of each input bus; one that is not connected is silent.
    public let inputs: UnsafePointer<BusAudio>
    /// The number of input buses.
    public let inputCount: Int
    /// The block of each output bus to fill.
    ///
    /// A node may put a block of its own in its place, of the same shape, that stays as it is until the end of the cycle.
    public let outputs: UnsafeMutablePointer<BusAudio>
    /// The number of output buses.
    public let outputCount: Int
    /// Whether a unit that a node of this cycle waits for has been late.
    ///
    /// A node that finds a unit late sets it. Units on the same processor may then be late because of that one.
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

    /// What a node with one input reads; what the driver recorded, for a node without one.
    public var input: AudioBlock {
        @_noLocks get { inputCount > 0 ? inputs[0].block : cycle.pointee.inputs }
    }

    /// What a node with one output fills; a block without channels, for a node without one.
    public var output: AudioBlock {
        @_noLocks get {
            if outputCount > 0 { return outputs[0].block }
            let played = cycle.pointee.outputs
            return AudioBlock(channels: played.channels, channelCount: 0, frameCount: played.frameCount)
        }
    }
}

/// Something that a plan can render: a player, a unit, an output.
///
/// `[render]` `renderFunction` gets `renderContext` and a pointer to a `NodeCall`, and must be `@_noLocks` all
/// the way down. The plan keeps the node alive.
public protocol RenderNode: AnyObject, Sendable {
    /// The C function that renders a node.
    typealias Function = CRealtimeShims_RenderFunction
    /// The function to call for each cycle.
    var renderFunction: Function { get }
    /// The first argument of each call.
    var renderContext: UnsafeMutableRawPointer { get }
    /// The frames by which the node's output lags behind its input.
    var latencyFrameCount: Int { get }
    /// Memory that the processors of the node's connections may add into; nil for none.
    ///
    /// They find it in `ConnectionCall.sum`. When `renderFunction` is called, all of them are through: it finishes and empties the sum.
    var sumContext: UnsafeMutableRawPointer? { get }
    /// Whether the node hands its first input to the driver as it is; a mixer may then write it there.
    var isDriverOutput: Bool { get }
}

/// A node that has other threads render for it, and need not wait for them at once.
///
/// `[render]` The plan begins several of these that do not read each other. It then waits for them, the last
/// one first, and completes them, the first one first. So their threads render at the same time, and this
/// thread is woken once where they share a processor. `renderFunction` completes what has begun in the same
/// cycle; otherwise it renders the whole node.
public protocol ConcurrentNode: RenderNode {
    /// `[render]` Takes the inputs, and makes the other threads begin.
    ///
    /// The outputs may not be written yet.
    var beginFunction: Function { get }
    /// `[render]` Waits until the other threads are done, or the deadline has come.
    var awaitFunction: Function { get }
}

extension RenderNode {
    /// No latency, unless the node has its own.
    public var latencyFrameCount: Int { 0 }
    /// No sum beside its inputs, unless the node has one.
    public var sumContext: UnsafeMutableRawPointer? { nil }
    /// It is none, unless it says so.
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
