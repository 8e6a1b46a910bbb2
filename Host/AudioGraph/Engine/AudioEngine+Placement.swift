// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets the ranks and processors of the units' threads, below and beside the driver's thread. The engine's thread.

import Glibc
import LinuxSystem

/// The processor of the driver's thread, and the units placed beside it.
struct PlacementState: Equatable {
    var thread: Int32 = 0
    var rank: Int32 = 0
    var processor: Int?
    /// The units, as they were placed: a unit of a new plan may have other resources.
    var units: [ObjectIdentifier] = []
    var serial: UInt64 = 0
    /// The time of the next look at the thread, in CLOCK_MONOTONIC nanoseconds.
    var due: UInt64 = 0

    /// The time between two looks in nanoseconds.
    static let interval: UInt64 = 50_000_000
}

extension AudioEngine {
    /// The processor of the render thread; nil for a thread without a real-time rank, and until the engine has looked at it.
    package var renderProcessor: Int? { state.withLock { $0.placement.rank > 0 ? $0.placement.processor : nil } }

    /// Places the units of the plan, if the driver's thread or the plan has changed.
    ///
    /// A unit wakes on the processor of the thread that waits for it, which is the shortest way. Its rank is below that thread's: a unit in
    /// an endless loop cannot keep the host from looking at the clock. The processor belongs to these threads; the program's other threads
    /// keep off it.
    func placeUnits() {
        let now = MonotonicClock.now()
        let (thread, units, serial, former) = state.withLock { state -> (Int32?, [RenderedUnits], UInt64, PlacementState) in
            // A look at the thread reads /proc.
            guard state.placement.serial != state.playing?.resourceSerial || now >= state.placement.due else {
                return (nil, [], 0, state.placement)
            }
            state.placement.due = now + PlacementState.interval
            guard case .driver(let driver) = state.mode, state.phase == .running, let playing = state.playing else {
                return (nil, [], 0, state.placement)
            }
            return (driver.renderThreadIdentifier, playing.units, playing.resourceSerial, state.placement)
        }
        guard let thread, let rank = Scheduling.schedulingClass(ofThread: thread) else { return }
        var placement = PlacementState(thread: thread, rank: rank.realtimePriority, processor: former.processor)
        placement.units = units.map(\.owner)
        placement.due = former.due
        placement.serial = serial
        // The kernel moves a thread without a rank at will; one with a rank stays where it was put, until a program moves it.
        if thread != former.thread || former.processor == nil || rank.realtimePriority > 0 {
            placement.processor = Scheduling.lastProcessor(ofThread: thread) ?? former.processor
        }
        guard placement != former, !units.isEmpty || thread != former.thread else { return }
        state.withLock { $0.placement = placement }
        let processor = rank.realtimePriority > 0 ? placement.processor : nil
        if let processor, !units.isEmpty {
            // The sound does not depend on it, and the thread may have ended.
            try? Scheduling.setProcessors([processor], ofThread: thread)
            Scheduling.keep(thread: Scheduling.currentThread, off: processor)
            presentSupervisor?.keep(off: processor)
        }
        for (index, unit) in units.enumerated() {
            unit.rendered.seat(processor: processor, below: rank, branch: index, of: units.count)
        }
        presentSupervisor?.place(units.flatMap(\.rendered.members))
    }
}
