// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every change to a unit since its state was last saved, to be repeated after a restart. Control threads.

import ControlMessages
import LinuxSystem
import Synchronization

/// The changes of one unit, in their order.
///
/// A change is dropped once a snapshot surely holds it: if it was recorded before the previous snapshot, it has been rendered by
/// now. Until then a restart repeats it, which does no harm to a snapshot that holds it.
final class UnitJournal: Sendable {
    fileprivate struct State {
        var changes: [ParameterSetting] = []
        /// The number of changes when the last snapshot was requested.
        var seenCount = 0
        /// True if a change is missing in the last snapshot.
        var isDirty = false
        /// Counts all changes of the state, for code that keeps a copy.
        var revision = 0
        /// The number of times that the unit got a whole state, or that changes were condensed.
        var replacements = 0
        var condensations = 0
        /// The event to ring at every change.
        var listener: EventDescriptor?
    }

    /// The most changes that are kept one by one.
    ///
    /// Beyond that, only the last one of each parameter is kept.
    static let capacity = 4096
    private let state = Mutex(State())

    /// Records a new value of a parameter.
    func record(_ address: UInt64, _ value: Double) {
        state.withLock { state in
            state.changes.append(ParameterSetting(address: address, value: value))
            state.note()
            if state.changes.count > Self.capacity { Self.condense(&state) }
        }
    }

    /// Records another change that may affect the state: a text, a MIDI message.
    func touch() {
        state.withLock { $0.note() }
    }

    /// Rings `listener` at every change from now on, because its owner may be resting.
    func tell(_ listener: EventDescriptor?) { state.withLock { $0.listener = listener } }

    /// Records that the unit got a whole state: earlier changes, and snapshots requested earlier, no longer count.
    func replace() {
        state.withLock { state in
            state.changes = []
            state.seenCount = 0
            state.isDirty = false
            state.revision += 1
            state.replacements += 1
        }
    }

    /// The last recorded value of a parameter; nil without one.
    func lastValue(of address: UInt64) -> Double? {
        state.withLock { $0.changes.last { $0.address == address }?.value }
    }

    var changes: [ParameterSetting] { state.withLock { $0.changes } }
    var revision: Int { state.withLock { $0.revision } }
    var isDirty: Bool { state.withLock { $0.isDirty } }

    /// Takes a snapshot: `ask` requests it, and `keep` keeps it, unless the unit got another state meanwhile.
    func snapshot<Snapshot>(ask: () -> Snapshot?, keep: (Snapshot) -> Bool) {
        let before = state.withLock { state in
            state.isDirty = false
            return (count: state.changes.count, replacements: state.replacements, condensations: state.condensations)
        }
        let snapshot = ask()
        state.withLock { state in
            guard let snapshot, state.replacements == before.replacements, keep(snapshot) else {
                state.isDirty = true
                return
            }
            state.revision += 1
            if state.condensations == before.condensations {
                state.changes.removeFirst(state.seenCount)
                state.seenCount = before.count - state.seenCount
            }
            // One more snapshot, and the rest can be dropped.
            if !state.changes.isEmpty { state.isDirty = true }
        }
    }

    private static func condense(_ state: inout State) {
        var seen: Set<UInt64> = []
        state.changes = state.changes.reversed().filter { seen.insert($0.address).inserted }.reversed()
        state.seenCount = 0
        state.condensations += 1
    }
}

extension UnitJournal.State {
    fileprivate mutating func note() {
        isDirty = true
        revision += 1
        listener?.ring()
    }
}
