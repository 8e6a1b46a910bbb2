// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Options of one allocation of a unit's render resources: rules, automation, supervision. Any thread.

import Rendering

/// The options of one allocation; the next allocation has its own.
package struct AllocationOptions: Sendable {
    /// The rules of waiting and restarting; nil for the usual ones in real time or offline.
    package var policy: UnitPolicy?
    /// The courses of parameters, in frames.
    package var lanes: [AutomationLane]
    /// The pace of a unit that stretches time.
    ///
    /// It sets the input frames of each block, and the unit's parameter `rate` follows it.
    package var pace: TimePace?
    /// True if a fault during the allocation is left to the supervisor, which starts the unit again.
    package var mayBeginAbsent = false
    /// The nanoseconds to wait for the unit; nil for as long as it may take.
    ///
    /// After that time the unit has its resources and is absent. It is heard once it answers. If it does not, its supervisor starts it
    /// again. A unit in the host's process is always awaited.
    package var patience: UInt64?
    /// The unit's supervisor after the call of `UnitResources.join`; nil for one of the unit's own.
    package var supervisor: Supervisor?

    /// Makes options of an allocation.
    package init(
        policy: UnitPolicy? = nil, lanes: [AutomationLane] = [], pace: TimePace? = nil, supervisor: Supervisor? = nil
    ) {
        self.policy = policy
        self.lanes = lanes
        self.pace = pace
        self.supervisor = supervisor
    }
}
