// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the supervisor remembers of one process and the units that live in it. Supervisor.

/// A render cycle, and its first frame.
typealias RenderMoment = (cycle: UInt64, sampleTime: Int64)

/// The deaths and restarts so far of a process, and of all its units with it.
struct ProcessHistory {
    /// A restart that waits for its time.
    struct PendingRestart {
        /// Monotonic times: when it is to begin, and when the death was noticed.
        var due: UInt64
        var noticed: UInt64
        var death: RenderMoment
    }

    /// A death that has been noticed and not been answered yet, since the render thread still holds one of the units.
    struct Death {
        /// Monotonic.
        var noticed: UInt64
        var fault: PluginFault
        var culprit: Int?
    }

    /// The units, by their index in the chain.
    let indices: [Int]
    var schedule = RestartSchedule()
    /// Whom each death within the schedule was the fault of, nil where nobody knows.
    var culprits: [Int?] = []
    /// Whether the last restart failed: what it failed of has been said then.
    var hasFailed = false
    /// The moments of deaths that the render thread told of before the kernel did, by unit.
    var moments: [Int: RenderMoment] = [:]
    var death: Death?
    var pending: PendingRestart?
    var restart: ProcessRestart?
    /// The units that this brings into the process, where others live in it; none where the process itself is started anew.
    var joining: [Int] = []
    /// The supervisor itself has ended the process, and said why.
    var wasEnded = false
    /// The unit that this was for, or that a restart failed of.
    var culprit: Int?
    /// What it works; of a new process anew.
    var work = ProcessWork()
    /// Units that somebody wants back after their quarantine.
    var returning: [Int] = []

    init(_ indices: [Int]) { self.indices = indices }

    /// Whether the process is being looked after, so that its end would be news.
    var isWatched: Bool { pending == nil && restart == nil && !wasEnded }

    /// What was done is forgiven.
    mutating func forgive() {
        schedule = RestartSchedule()
        culprits = []
    }

    /// The unit that more than half of the last deaths were the fault of, or nil.
    func worst(ofLast count: Int) -> Int? {
        let last = culprits.suffix(count)
        return Set(last).compactMap { $0 }.first { candidate in 2 * last.count { $0 == candidate } > last.count }
    }
}
