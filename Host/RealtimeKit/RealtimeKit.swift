// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks rtkit for ranks, the service of the system that gives them to users who may not take them. Control thread.

import Glibc
import LinuxSystem
import Synchronization

/// What rtkit grants: round robin at low ranks, to few threads of few processes of each user, a few times in a while, and only
/// to processes that the kernel ends when a thread of theirs runs for too long without sleeping.
public enum RealtimeKit {
    /// Why a thread has not been given a rank.
    public struct Refusal: Error, Hashable, Sendable {
        /// As the service or the bus says it.
        public let reason: String
    }

    /// The highest rank that it gives threads of this process, tried with one that ends at once.
    public static func offer() throws(Refusal) -> SchedulingClass {
        let answer = Answer()
        do throws(SystemError) {
            let thread = try Thread(name: "rank") {
                let result = Result { () throws(Refusal) in
                    try give(SchedulingClass(realtimePriority: 99), to: Scheduling.currentThread, of: getpid())
                }
                answer.result.withLock { $0 = result }
            }
            thread.join()
        } catch {
            throw Refusal(reason: "\(error)")
        }
        return try answer.result.withLock(\.self).get()
    }

    private final class Answer: Sendable {
        let result = Mutex<Result<SchedulingClass, Refusal>>(.success(.ordinary))
    }

    private struct State {
        var service: RealtimeKitService?
        var latest: (refusal: Refusal, standsUntil: UInt64)?
    }
    private static let state = Mutex(State())
    /// Nanoseconds for which a refusal stands: as far as rtkit looks back when it counts requests.
    private static let patience: UInt64 = 20_000_000_000

    /// Has a thread of a process given a rank, the highest that rtkit gives at most; which one that was. From then on no thread of
    /// that process may run for longer than rtkit allows. Takes seconds at worst, and no time while a refusal stands.
    public static func give(
        _ rank: SchedulingClass, to thread: Int32, of process: Int32
    ) throws(Refusal) -> SchedulingClass {
        try state.withLock { state throws(Refusal) in
            if let latest = state.latest, MonotonicClock.now() < latest.standsUntil { throw latest.refusal }
            do throws(Refusal) {
                let service = if let service = state.service { service } else { try RealtimeKitService() }
                state.service = service
                let priority = min(rank.realtimePriority, service.highestPriority)
                ResourceLimits.bound(realtimeMicroseconds: service.longestRun, of: process)
                try service.give(priority, to: thread, of: process)
                return SchedulingClass(realtimePriority: priority)
            } catch {
                // A bus that is gone may come back.
                state.service = nil
                state.latest = (error, MonotonicClock.now() + patience)
                throw error
            }
        }
    }
}
