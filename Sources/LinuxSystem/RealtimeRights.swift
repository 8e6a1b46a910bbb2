// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rights of this process to real-time threads and locked memory. Control thread.

import CLinuxShims
import Glibc

/// The rights of this process, found by attempts.
public struct RealtimeRights: Hashable, Sendable {
    /// The highest real-time priority that a thread of this process got; 0 for none.
    public let highestPriority: Int32
    /// The limit on the priority of an ordinary user's threads, as `ulimit -r` shows it.
    public static var priorityLimit: UInt64 { limit(CLinuxShims_realtimePriority) ?? 99 }
    /// The number of bytes that the process may lock; nil without a limit.
    public let lockableByteCount: UInt64?

    /// Raises the limits as far as allowed, and tries every priority on a thread of its own.
    public init() {
        Scheduling.raiseRealtimeLimits()
        lockableByteCount = Self.limit(CLinuxShims_lockedMemory)
        highestPriority = Self.tried()
    }

    private static func limit(_ resource: CLinuxShims_Resource) -> UInt64? {
        var soft: UInt64 = 0
        return CLinuxShims_limit(Int32(resource.rawValue), &soft) == 0 && soft != .max ? soft : nil
    }

    /// The highest priority that a temporary thread gets.
    private static func tried() -> Int32 {
        final class Result: @unchecked Sendable {
            // SAFETY: the thread writes it, and this thread reads it after the join.
            var priority: Int32 = 0
        }
        let result = Result()
        let thread = try? Thread(name: "rank") {
            for priority in stride(from: Int32(99), through: 1, by: -1)
            where (try? Scheduling.set(SchedulingClass(realtimePriority: priority), ofThread: 0)) != nil {
                result.priority = priority
                return
            }
        }
        thread?.join()
        return result.priority
    }
}
