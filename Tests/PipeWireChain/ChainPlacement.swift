// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Places the threads that process, and gives them ranks. Main thread.

import Glibc
import LinuxSystem
import PipeWireIO

/// The threads of a chain, and their placement.
struct ChainPlacement {
    /// The rank of the host's own thread, as in `bulkhead measure`; the threads that it waits for lie below.
    private static let topPriority: Int32 = 60
    private let options: ChainOptions
    private let daemon: [pid_t]
    private let ends: pid_t

    /// Finds the daemon's threads; `ends` is the thread of both ends of the chain.
    init(_ options: ChainOptions, session: PrivatePipeWire, ends: pid_t) throws(ChainError) {
        self.options = options
        self.ends = ends
        // The main thread does not process.
        daemon = Scheduling.threads(ofProcess: session.daemon).filter { $0 != session.daemon }
        guard !daemon.isEmpty else { throw ChainError("The private PipeWire has no thread that processes.") }
    }

    /// Binds and ranks the threads if `together` asks for it; returns their ranks in the order of the signal.
    func place(_ filters: [pid_t]) throws -> [Int32] {
        if let processor = options.processor {
            for thread in filters + [ends] + daemon { try Scheduling.setProcessors([processor], ofThread: thread) }
            try rank(filters)
        }
        return (filters + [ends] + daemon).map { Scheduling.schedulingClass(ofThread: $0)?.realtimePriority ?? 0 }
    }

    /// Ranks the threads; where the system grants no ranks, no thread keeps one, as in `bulkhead measure`.
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
