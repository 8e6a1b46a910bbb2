// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the threads that process run, and how urgently. Main thread.

import Glibc
import LinuxSystem
import PipeWireIO

/// The threads of a chain, and the place that they are to have.
struct ChainPlacement {
    /// As `bulkhead measure` has it: the host's own thread at 60, and what it waits for below.
    private static let topPriority: Int32 = 60
    private let options: ChainOptions
    private let daemon: [pid_t]
    private let ends: pid_t

    /// `ends` is the thread of both ends of the chain.
    init(_ options: ChainOptions, session: PrivatePipeWire, ends: pid_t) throws(ChainError) {
        self.options = options
        self.ends = ends
        // Whoever has no rank of its own does not process.
        daemon = Scheduling.threads(ofProcess: session.daemon).filter { $0 != session.daemon }
        guard !daemon.isEmpty else { throw ChainError("The private PipeWire has no thread that processes.") }
    }

    /// Gives them their places and ranks, if they are to have any; the ranks that they then have, in the order of the signal.
    func place(_ filters: [pid_t]) throws -> [Int32] {
        if let processor = options.processor {
            for thread in filters + [ends] + daemon { try Scheduling.setProcessors([processor], ofThread: thread) }
            try rank(filters)
        }
        return (filters + [ends] + daemon).map { Scheduling.schedulingClass(ofThread: $0)?.realtimePriority ?? 0 }
    }

    /// Where the system grants no ranks, nobody keeps one, as `bulkhead measure` has it.
    private func rank(_ filters: [pid_t]) throws {
        let top = SchedulingClass(realtimePriority: Self.topPriority)
        guard (try? Scheduling.set(top, ofThread: ends)) != nil else {
            for thread in filters + [ends] + daemon { try Scheduling.set(.ordinary, ofThread: thread) }
            return
        }
        for (index, thread) in filters.enumerated() {
            let below = options.ranks == .rising ? Int32(filters.count - index) : 1
            try Scheduling.set(SchedulingClass(realtimePriority: Self.topPriority - below), ofThread: thread)
        }
        for thread in daemon { try Scheduling.set(SchedulingClass(realtimePriority: Self.topPriority + 1), ofThread: thread) }
    }
}
