// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Asks rtkit for ranks, the service of the system that gives them to users who may not take them. Control thread.

import Glibc
import LinuxSystem
import Synchronization

/// What rtkit grants: round robin at low ranks, to few threads of few processes of each user, a few times in a while, and only
/// to processes that the kernel ends when a thread of theirs runs for too long without sleeping.
public enum RealtimeKit {
    /// What has become of a request.
    public enum Answer: Hashable, Sendable {
        case granted
        /// It gives no more just now.
        case busy
        /// Not to this thread; it may have ended.
        case refused
        /// There is no bus, or no rtkit on it, or no answer in time.
        case unavailable
    }

    /// Why a thread has not been given a rank.
    public struct Refusal: Error, Hashable, Sendable {
        public let answer: Answer
        /// As the service or the bus says it.
        public let reason: String
    }

    /// Nanoseconds after which who has been told that it is busy may ask again: as far as rtkit looks back when it counts what it has
    /// given.
    public static let roundLength: UInt64 = 20_000_000_000
    /// How often anybody asks: nobody wakes up for ever for what there is not.
    public static let roundCount = 4

    private static let service = Mutex<RealtimeKitService?>(nil)

    /// Whether there are no ranks for this user but rtkit's, who has just been told that there are none.
    static func isLastResort(after error: SystemError) -> Bool {
        Scheduling.raiseRealtimeLimits()
        return error.code == EPERM && RealtimeRights.priorityLimit == 0
    }

    /// Has a thread of a process given a rank, the highest that rtkit gives at most; which one that was. From then on no thread of
    /// that process may run for longer than rtkit allows, and nothing takes that back. Takes a millisecond, and half a minute where
    /// the bus hangs.
    public static func give(
        _ rank: SchedulingClass, toThread thread: Int32, ofProcess process: Int32
    ) throws(Refusal) -> SchedulingClass {
        try service.withLock { service throws(Refusal) in
            do throws(Refusal) {
                let rtkit = if let service { service } else { try RealtimeKitService() }
                service = rtkit
                let priority = min(rank.realtimePriority, rtkit.highestPriority)
                ProcessLimits.bound(realtimeMicroseconds: rtkit.longestRun, of: process)
                try rtkit.give(priority, to: thread, of: process)
                return SchedulingClass(realtimePriority: priority)
            } catch {
                // A bus that is gone may come back.
                if error.answer == .unavailable { service = nil }
                throw error
            }
        }
    }

    static func answer(to wish: RankWish) -> Answer {
        do throws(Refusal) {
            _ = try give(wish.rank, toThread: wish.thread, ofProcess: wish.process)
            return .granted
        } catch {
            return error.answer
        }
    }

    /// The highest rank that it gives threads of this process, tried with one that ends at once.
    public static func offer() throws(Refusal) -> SchedulingClass {
        let trial = Trial()
        do throws(SystemError) {
            let thread = try Thread(name: "rank") {
                let result = Result { () throws(Refusal) in
                    try give(SchedulingClass(realtimePriority: 99), toThread: Scheduling.currentThread, ofProcess: getpid())
                }
                trial.result.withLock { $0 = result }
            }
            thread.join()
        } catch {
            throw Refusal(answer: .refused, reason: "\(error)")
        }
        return try trial.result.withLock(\.self).get()
    }

    private final class Trial: Sendable {
        let result = Mutex<Result<SchedulingClass, Refusal>>(.success(.ordinary))
    }
}
