// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The faults of a unit, and its recoveries. Control threads.

import LinuxSystem
import Synchronization

/// One fault of a unit while it was rendering.
public struct FaultRecord: Hashable, Sendable {
    /// The fault.
    public var fault: PluginFault
    /// The render cycle in which the fault was noticed, counted from 1.
    public var cycle: UInt64
    /// The first frame of that cycle.
    public var sampleTime: Int64
    /// The cycles before the unit was heard again; nil while it is not.
    public var recoveredAfterCycles: UInt64?
    /// The milliseconds from noticing the death until the new process was ready; nil without a restart.
    public var restartMilliseconds: Double?
    /// The names of the other units that ended with it, because they lived in the same process.
    public var companions: [String] = []
}

/// The faults of one unit.
///
/// `[any]` throughout.
package final class FaultLog: Sendable {
    private struct State {
        var records: [FaultRecord] = []
        var restarts = 0
    }

    private let state = Mutex(State())
    /// The eventfd for a notice of each change; nil without one.
    private let listener = Mutex<EventDescriptor?>(nil)
    /// The most kept faults of kinds that can come in each block; all faults together may be twice as many.
    ///
    /// So a unit that is late for hours does not fill the memory.
    static let capacity = 1000

    /// The kept faults, oldest first.
    package var records: [FaultRecord] { state.withLock { $0.records } }
    /// The number of the unit's restarts.
    package var restarts: Int { state.withLock { $0.restarts } }

    /// Adds a fault; `recoveredAfterCycles` is given if the unit is still heard during the fault.
    func append(
        _ fault: PluginFault, cycle: UInt64, sampleTime: Int64, _ companions: [String] = [], recoveredAfterCycles: UInt64? = nil
    ) {
        state.withLock { state in
            // Faults that can come in each block must not keep a death out.
            guard state.records.count < (fault.mayComeEachBlock ? Self.capacity : 2 * Self.capacity) else { return }
            var record = FaultRecord(fault: fault, cycle: cycle, sampleTime: sampleTime, companions: companions)
            record.recoveredAfterCycles = recoveredAfterCycles
            state.records.append(record)
        }
        tell()
    }

    /// Writes to `listener`, an eventfd(2), at each change from now on; nil ends that.
    package func tell(_ listener: EventDescriptor?) { self.listener.withLock { $0 = listener } }

    private func tell() { listener.withLock { $0?.ring() } }

    func restarted(afterMilliseconds milliseconds: Double) {
        state.withLock { state in
            state.restarts += 1
            if let last = state.records.indices.last { state.records[last].restartMilliseconds = milliseconds }
        }
        tell()
    }

    func recovered(cycle: UInt64) {
        state.withLock { state in
            for index in state.records.indices where state.records[index].recoveredAfterCycles == nil {
                state.records[index].recoveredAfterCycles =
                    cycle >= state.records[index].cycle ? cycle - state.records[index].cycle : 0
            }
        }
        tell()
    }
}
