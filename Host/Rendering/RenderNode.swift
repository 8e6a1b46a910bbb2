// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One step of a render plan: a function, its context, and the signals that it reads and writes. Render thread.

import CRealtimeShims
import Realtime

/// What a step is called with: the cycle, its input and the block that it fills.
public struct StepCall {
    /// The cycle to render.
    public let cycle: RenderCycle
    /// The signal to read.
    public let input: AudioBlock
    /// The block to fill.
    public let output: AudioBlock
    /// Whether a unit that a step of this cycle waits for has been late.
    ///
    /// A step that finds a unit late sets it. Units on the same processor may then be late because of that one.
    public let hasBeenLate: UnsafeMutablePointer<Bool>

    @_noLocks
    package init(cycle: RenderCycle, input: AudioBlock, output: AudioBlock, hasBeenLate: UnsafeMutablePointer<Bool>) {
        self.cycle = cycle
        self.input = input
        self.output = output
        self.hasBeenLate = hasBeenLate
    }
}

/// Something that a plan can render: a player, a chain of units, a mixer.
///
/// `[render]` `renderFunction` gets `renderContext` and a pointer to a `StepCall`, and must be `@_noLocks` all
/// the way down. The plan keeps the node alive.
public protocol RenderNode: AnyObject, Sendable {
    /// The C function that renders a step.
    typealias Function = CRealtimeShims_RenderFunction
    /// The function to call for each cycle.
    var renderFunction: Function { get }
    /// The first argument of each call.
    var renderContext: UnsafeMutableRawPointer { get }
    /// The frames by which the node's output lags behind its input.
    var latencyFrameCount: Int { get }
}

/// A node that has other threads render for it, and need not wait for them at once.
///
/// `[render]` The plan begins several of these that do not read each other. It then waits for them, the last
/// one first, and completes them, the first one first. So their threads render at the same time, and this
/// thread is woken once where they share a processor. `renderFunction` completes what has begun in the same
/// cycle; otherwise it renders the whole step.
public protocol ConcurrentNode: RenderNode {
    /// `[render]` Takes the input, and makes the other threads begin.
    ///
    /// The output may not be written yet.
    var beginFunction: Function { get }
    /// `[render]` Waits until the other threads are done, or the deadline has come.
    var awaitFunction: Function { get }
}

extension RenderNode {
    /// No latency, unless the node has its own.
    public var latencyFrameCount: Int { 0 }

    /// The function to call for a part of a step.
    func function(_ kind: StepPart.Kind) -> Function {
        guard let node = self as? any ConcurrentNode else { return renderFunction }
        return switch kind {
        case .whole, .completion: renderFunction
        case .beginning: node.beginFunction
        case .waiting: node.awaitFunction
        }
    }
}
