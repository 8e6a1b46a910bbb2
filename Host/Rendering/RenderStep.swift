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

    @_noLocks
    init(cycle: RenderCycle, input: AudioBlock, output: AudioBlock) {
        self.cycle = cycle
        self.input = input
        self.output = output
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

extension RenderNode {
    public var latencyFrameCount: Int { 0 }
}
