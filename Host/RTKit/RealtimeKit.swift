// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Requests priorities from rtkit, the system service for users who may not take them. Control thread.

import Glibc
import LinuxSystem
import Synchronization

/// `[control]` The system service that gives real-time priorities to ordinary users.
///
/// It grants low round-robin priorities to few threads of few processes of each user, a few times in a span of time. It
/// requires a limit on each process's real-time threads: the kernel must end the process if one of them runs too long without
/// sleep.
package enum RealtimeKit {
    /// `[any]` The result of a request.
    package enum Answer: Hashable, Sendable {
        /// The thread has the priority.
        case granted
        /// rtkit gives no more priorities for a while.
        case busy
        /// rtkit refuses this thread; the thread may have ended.
        case refused
        /// The bus or rtkit is missing, or did not answer in time.
        case unavailable
    }

    /// `[any]` The reason why a thread got no priority.
    package struct Refusal: Error, Hashable, Sendable {
        /// The result of the request.
        package let answer: Answer
        /// The reason in the words of the service or the bus.
        package let reason: String
    }

    /// The nanoseconds until a request may be repeated if rtkit was busy: the span in which rtkit counts its grants.
    package static let roundLength: UInt64 = 20_000_000_000
    /// The number of attempts: no thread wakes up for ever for a priority that rtkit does not give.
    package static let roundCount = 4

    private static let service = Mutex<RealtimeKitService?>(nil)

    /// True if this user can get priorities only from rtkit, after an attempt without it failed.
    static func isLastResort(after error: SystemError) -> Bool {
        Scheduling.raiseRealtimeLimits()
        return error.code == EPERM && RealtimeRights.priorityLimit == 0
    }

    /// `[control]` Gives a thread of a process a priority, at most the highest of rtkit, and returns it.
    ///
    /// From then on no thread of that process may run longer than rtkit allows; nothing reverts that. The call takes a
    /// millisecond, or half a minute if the bus hangs. It throws a `Refusal`.
    package static func give(
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
                // The bus may come back.
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

    /// `[control]` Returns the highest priority that rtkit gives this process, tried on a temporary thread.
    ///
    /// Throws a `Refusal`.
    package static func offer() throws(Refusal) -> SchedulingClass {
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
