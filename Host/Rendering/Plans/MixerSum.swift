// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a mixer adds up beside its bus, and makes sound of when all its connections are through. Control and render thread.

import CRealtimeShims

/// Memory of a mixer that the processors of its connections add into: a spectrum for each ear, a sound field.
///
/// So work that is the same for all sources is done once, for their sum. A mixer may have sources of both kinds: those that add to its bus,
/// and those that add in here. If finishing takes its time, the processors that add in here have that latency: the others are delayed then.
///
/// `[render]` In each cycle the plan calls all connections of the mixer, `finishFunction` then, and applies the mixer's level last. All of
/// these calls are the render thread's, so the memory needs no atomics. It lives on from plan to plan, and begins each cycle as `finish`
/// has left it.
public protocol MixerSum: AnyObject, Sendable {
    /// The C function that finishes a cycle.
    typealias Function = CRealtimeShims_RenderFunction
    /// The memory: what processors find in `ConnectionCall.sum`, and the first argument of `finishFunction`.
    var sumContext: UnsafeMutableRawPointer { get }
    /// The function that adds what was summed up to the bus, and empties the sum; it gets the memory and a pointer to a `FinishCall`.
    ///
    /// It is called in each cycle, and where nothing was added, too: a tail is heard to its end.
    var finishFunction: Function { get }
}

/// A call that finishes a mixer's sum.
public struct FinishCall {
    /// The cycle, by the mixer's clock.
    public let cycle: UnsafePointer<RenderCycle>
    /// The bus to add to; `BusAudio.open()` makes it ready.
    public let output: UnsafeMutablePointer<BusAudio>

    @_noLocks
    init(cycle: UnsafePointer<RenderCycle>, output: UnsafeMutablePointer<BusAudio>) {
        (self.cycle, self.output) = (cycle, output)
    }
}
