// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sum of a mixer's connections beside its bus, which is finished after the last connection. Control and render thread.

import CRealtimeShims

/// Memory of a mixer that the processors of its connections add into: a spectrum for each ear, a sound field.
///
/// So work that is the same for all sources is done once, for their sum. Some sources of a mixer may add to its bus, and others
/// to the sum. If finishing adds a delay, the processors that add to the sum have that latency: the other signals are then
/// delayed.
///
/// `[render]` In each cycle the plan calls all connections of the mixer, then `finishFunction`, and applies the mixer's level
/// last. The render thread makes all these calls, so the memory needs no atomics. It survives changes of the plan, and begins
/// each cycle as `finishFunction` has left it.
public protocol MixerSum: AnyObject, Sendable {
    /// The C function that finishes a cycle.
    typealias Function = CRealtimeShims_RenderFunction
    /// The memory: processors find it in `ConnectionCall.sum`, and it is the first argument of `finishFunction`.
    var sumContext: UnsafeMutableRawPointer { get }
    /// The function that adds the sum to the bus, and empties it; its arguments are the memory and a pointer to a `FinishCall`.
    ///
    /// It is called in each cycle, also if nothing was added: a tail is heard to its end.
    var finishFunction: Function { get }
}

/// A call that finishes a mixer's sum.
public struct FinishCall {
    /// The cycle, by the mixer's clock.
    public let cycle: UnsafePointer<RenderCycle>
    /// The destination bus; `BusAudio.open()` prepares it for adding.
    public let output: UnsafeMutablePointer<BusAudio>

    /// Makes the call for a mixer, or for a node that has sums of its own.
    @_noLocks
    public init(cycle: UnsafePointer<RenderCycle>, output: UnsafeMutablePointer<BusAudio>) {
        (self.cycle, self.output) = (cycle, output)
    }
}
