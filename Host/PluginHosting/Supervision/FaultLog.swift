// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What went wrong with a unit, and when it was well again. Control threads.

import LinuxSystem
import Synchronization

/// One fault of a unit while it was rendering.
public struct FaultRecord: Hashable, Sendable {
    public var fault: PluginFault
    /// The render cycle in which it was noticed, counted from 1.
    public var cycle: UInt64
    /// The first frame of that cycle.
    public var sampleTime: Int64
    /// Cycles until the unit was heard again, or nil while it is not.
    public var recoveredAfterCycles: UInt64?
    /// Milliseconds from the notice of death to the new process being ready, where there was a restart.
    public var restartMilliseconds: Double?
    /// The units that went down with it, by name, since they lived in the same process.
    public var companions: [String] = []
}

/// The faults of one unit. Any thread.
public final class FaultLog: Sendable {
    private struct State {
        var records: [FaultRecord] = []
        var restarts = 0
    }

    private let state = Mutex(State())
    /// Whom to wake when there is something new.
    private let listener = Mutex<EventDescriptor?>(nil)
    /// Faults that are kept; a unit that is late for hours does not fill the memory. Of others there is room for as many.
    static let capacity = 1000

    public var records: [FaultRecord] { state.withLock { $0.records } }
    public var restarts: Int { state.withLock { $0.restarts } }

    /// `recoveredAfterCycles` is given for a fault with which the unit is heard all the same.
    func append(
        _ fault: PluginFault, cycle: UInt64, sampleTime: Int64, _ companions: [String] = [], recoveredAfterCycles: UInt64? = nil
    ) {
        state.withLock { state in
            // What can come in each block must not keep a death out.
            guard state.records.count < (fault.mayComeEachBlock ? Self.capacity : 2 * Self.capacity) else { return }
            var record = FaultRecord(fault: fault, cycle: cycle, sampleTime: sampleTime, companions: companions)
            record.recoveredAfterCycles = recoveredAfterCycles
            state.records.append(record)
        }
        tell()
    }

    /// Wakes `listener` from now on when there is something new.
    public func tell(_ listener: EventDescriptor?) { self.listener.withLock { $0 = listener } }

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
