// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives the threads of units their ranks and processors, below and beside the driver's thread. The engine's thread.

import Glibc
import LinuxSystem

/// Where the driver's thread is, and which units have been placed beside it.
struct PlacementState: Equatable {
    var thread: Int32 = 0
    var rank: Int32 = 0
    var processor: Int?
    /// The units, as they were placed: each of a new plan may have other resources.
    var units: [ObjectIdentifier] = []
    var serial: UInt64 = 0
    /// When the thread is looked at next, in CLOCK_MONOTONIC nanoseconds.
    var due: UInt64 = 0

    /// Nanoseconds between two looks.
    static let interval: UInt64 = 50_000_000
}

extension AudioEngine {
    /// Places the units of the plan, where the driver's thread or the plan is another one than before.
    ///
    /// A unit wakes on the processor of the thread that waits for it, which is the least way to go, and below its rank: a unit in an
    /// endless loop cannot keep the host from looking at the clock. The processor belongs to them; the program's other threads keep
    /// off it.
    func placeUnits() {
        let now = MonotonicClock.now()
        let (thread, units, serial, former) = state.withLock { state -> (Int32?, [RenderedUnits], UInt64, PlacementState) in
            // A look at the thread is a look into /proc.
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
        // A thread without a rank moves as the kernel likes; one with a rank stays where it was put, unless somebody moves it.
        if thread != former.thread || former.processor == nil || rank.realtimePriority > 0 {
            placement.processor = Scheduling.lastProcessor(ofThread: thread) ?? former.processor
        }
        guard placement != former, !units.isEmpty || thread != former.thread else { return }
        state.withLock { $0.placement = placement }
        let processor = rank.realtimePriority > 0 ? placement.processor : nil
        if let processor, !units.isEmpty {
            // Nothing sounds different without it, and the thread may have ended.
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
