// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The supervisor's record of one process and its units. Supervisor.

/// A render cycle, and its first frame.
typealias RenderMoment = (cycle: UInt64, sampleTime: Int64)

/// The deaths and restarts of a process so far, with all its units.
struct ProcessHistory {
    /// A restart that waits for its time.
    struct PendingRestart {
        /// The time of the restart, and the time when the death was noticed; both monotonic.
        var due: UInt64
        var noticed: UInt64
        var death: RenderMoment
    }

    /// A death that has no answer yet, because the render thread still holds one of the units.
    struct Death {
        /// The monotonic time when it was noticed.
        var noticed: UInt64
        var fault: PluginFault
        var culprit: UnitResources?
    }

    /// The units, in the order in which they joined; at least one.
    var members: [UnitResources]
    var schedule = RestartSchedule()
    /// The unit to blame for each death within the schedule; nil if it is unknown.
    var culprits: [UnitResources?] = []
    /// True if the last restart failed; its failure has been reported.
    var hasFailed = false
    /// The moments of deaths that the render thread noticed before the kernel reported them, by the unit's number.
    var moments: [Int: RenderMoment] = [:]
    var death: Death?
    var pending: PendingRestart?
    var restart: ProcessRestart?
    /// The time since which the machine has had too little left for a restart; nil while it has enough.
    var shortSince: UInt64?
    /// The units that the restart brings into a living process; empty if the process itself is restarted.
    var joining: [UnitResources] = []
    /// True if the supervisor itself has ended the process, and reported the reason.
    var wasEnded = false
    /// The unit for which the process was ended, or that made a restart fail.
    var culprit: UnitResources?
    /// The process's processor time; reset for a new process.
    var work = ProcessWork()
    /// The units that the user wants back from quarantine.
    var returning: [UnitResources] = []
    /// The time since which a unit has been gone while its process lives.
    var absentSince: UInt64?

    init(_ member: UnitResources) { members = [member] }

    /// True if a restart under way brings this unit back.
    func isRestarting(_ member: UnitResources) -> Bool {
        restart != nil && (joining.isEmpty ? members : joining).contains { $0 === member }
    }

    /// Forgets units that leave; none of them is being restarted.
    mutating func remove(_ leaving: [UnitResources]) {
        func leaves(_ member: UnitResources) -> Bool { leaving.contains { $0 === member } }
        guard members.contains(where: leaves) else { return }
        members.removeAll(where: leaves)
        returning.removeAll(where: leaves)
        culprits.removeAll { $0.map(leaves) ?? false }
        if culprit.map(leaves) == true { culprit = nil }
        if death?.culprit.map(leaves) == true { death?.culprit = nil }
    }

    /// True if nothing is under way with the process.
    var isSettled: Bool {
        pending == nil && restart == nil && death == nil && absentSince == nil && returning.isEmpty && !wasEnded && !hasFailed
    }

    /// True if the process is supervised, so that its end must wake the supervisor.
    var isWatched: Bool { pending == nil && restart == nil && !wasEnded }

    /// Forgets the deaths so far.
    mutating func forgive() {
        schedule = RestartSchedule()
        culprits = []
    }

    /// The unit to blame for more than half of the last deaths; nil without one.
    func worst(ofLast count: Int) -> UnitResources? {
        let last = culprits.suffix(count)
        return last.lazy.compactMap { $0 }.first { candidate in 2 * last.count { $0 === candidate } > last.count }
    }
}
