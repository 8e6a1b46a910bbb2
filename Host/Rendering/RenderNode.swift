// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One step of a render plan: a function, its context, and the signals that it reads and writes. Render thread.

import CRealtimeShims
import Realtime

/// What a step is handed: the cycle, its input and the block that it fills.
public struct StepCall {
    public let cycle: RenderCycle
    public let input: AudioBlock
    public let output: AudioBlock
    /// Whether somebody whom a step of this cycle waits for has been late: those that the same processor renders may be so for its
    /// sake. A step that finds somebody late sets it.
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
/// `[render]` `renderFunction` gets `renderContext` and a pointer to a `StepCall`, and must be `@_noLocks`
/// all the way down. The plan keeps the node alive.
public protocol RenderNode: AnyObject, Sendable {
    typealias Function = CRealtimeShims_RenderFunction
    var renderFunction: Function { get }
    var renderContext: UnsafeMutableRawPointer { get }
    /// Frames by which the node's output lags behind its input.
    var latencyFrameCount: Int { get }
}

/// A node that has others render for it, and need not wait for them at once.
///
/// `[render]` The plan has several of them begin that do not read each other, then waits for them, the last one first, and then has
/// them complete, the first one first: those who render do so at the same time, and this thread is woken once where they
/// share a processor. `renderFunction` completes what has begun in the same cycle; what has not it does from beginning to end.
public protocol ConcurrentNode: RenderNode {
    /// `[render]` Takes the input, and has whoever renders begin. The output is nobody's yet.
    var beginFunction: Function { get }
    /// `[render]` Waits until they are done, or their time is up.
    var awaitFunction: Function { get }
}

extension RenderNode {
    public var latencyFrameCount: Int { 0 }

    /// What is called for a part of a step.
    func function(_ kind: StepPart.Kind) -> Function {
        guard let node = self as? any ConcurrentNode else { return renderFunction }
        return switch kind {
        case .whole, .completion: renderFunction
        case .beginning: node.beginFunction
        case .waiting: node.awaitFunction
        }
    }
}
