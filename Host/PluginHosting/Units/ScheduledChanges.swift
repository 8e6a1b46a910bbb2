// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameter changes that a unit has received for a later time, until that time has been rendered. Control threads.

import AudioUnits
import Synchronization
import Wire

/// The changes of one unit that are scheduled and not yet due.
///
/// A change counts as made only when its time has been rendered. Until then no state holds it, and a restarted unit must receive
/// it again.
final class ScheduledChanges: Sendable {
    /// One change, and the observer that is not informed of it.
    struct Change: Sendable {
        var change: ParameterChange
        var sampleTime: Int64
        var originator: ParameterObserverToken?

        var wireEvent: WireEvent { RenderEvent.parameter(change).wireEvent(at: sampleTime) }
    }

    /// Returns the first frame that has not been rendered.
    typealias Clock = @Sendable () -> Int64

    private struct State {
        var pending: [Change] = []
        var clock: Clock?
        /// True while a process is being replaced: nothing comes due, but is sent again instead.
        var isHeld = false
    }

    /// The most scheduled changes: all of them can be sent again at once.
    private static let capacity = UnitMailbox.capacity
    private let state = Mutex(State())

    /// Sets the clock while the unit is supervised; nil ends that.
    func follow(_ clock: Clock?) { state.withLock { $0.clock = clock } }

    /// Keeps a change if `send` succeeds.
    ///
    /// A refused change is not kept, and cannot come back.
    func add(_ change: Change, ifSent send: (Change) -> Bool) -> Bool {
        state.withLock { state in
            guard state.pending.count < Self.capacity, send(change) else { return false }
            state.pending.append(change)
            return true
        }
    }

    /// Takes the changes that are due, in the order of their times.
    ///
    /// `record` is called for each, before any later change can be made. With `holding` nothing comes due from then on, until
    /// `release`.
    func takeDue(holding: Bool = false, _ record: (Change) -> Void) -> [Change] {
        state.withLock { state in
            guard !state.isHeld else { return [] }
            state.isHeld = holding
            guard !state.pending.isEmpty, let now = state.clock?() else { return [] }
            let due = state.pending.filter { $0.sampleTime < now }
            guard !due.isEmpty else { return [] }
            state.pending.removeAll { $0.sampleTime < now }
            // A stable sort: of two changes for one frame the later one counts.
            let ordered = due.enumerated().sorted { ($0.element.sampleTime, $0.offset) < ($1.element.sampleTime, $1.offset) }
            for it in ordered { record(it.element) }
            return ordered.map(\.element)
        }
    }

    /// Lets changes come due again.
    func release() { state.withLock { $0.isHeld = false } }

    /// Sends the pending changes once more; false if `send` failed.
    func resend(_ send: (Change) -> Bool) -> Bool { state.withLock { $0.pending.allSatisfy(send) } }

    /// True if a change is due.
    var hasDue: Bool {
        state.withLock { state in
            guard !state.isHeld, !state.pending.isEmpty, let now = state.clock?() else { return false }
            return state.pending.contains { $0.sampleTime < now }
        }
    }

    /// True if nothing is scheduled.
    var isEmpty: Bool { state.withLock { $0.pending.isEmpty } }

    /// Drops the pending changes.
    func discard() { state.withLock { $0.pending = [] } }
}
