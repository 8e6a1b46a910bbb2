// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much of the machine a process may take. Any thread.

import CLinuxShims

/// Limits that a process gets with its start and cannot raise. What this process itself may not exceed, it may not either.
public struct ResourceLimits: Hashable, Sendable {
    /// Bytes of memory that it can write to and shares with nobody.
    public var memoryByteCount: UInt64
    /// Bytes of memory that it may keep from being swapped out.
    public var lockedByteCount: UInt64 = 64 << 20
    /// Bytes of a file that it writes, one in memory included.
    public var fileByteCount: UInt64
    public var descriptorCount: UInt64
    /// Processes and threads, in a user namespace of its own; elsewhere the kernel counts all of the user's together.
    public var threadCount: UInt64
    /// The highest real-time rank that it can give itself, or be given by an ordinary user; 0 for none.
    public var realtimePriority: Int32 = 0
    /// Microseconds that a real-time thread may run without sleeping, before the kernel ends the process with SIGXCPU, or, if
    /// it bears that, after as long again with SIGKILL: a backstop for when the host, which takes the ranks of such threads long
    /// before, is gone or stuck itself. The longest cycle, 8192 frames at 8 kHz, lasts half as long.
    public var realtimeMicroseconds: UInt64 = 2_000_000

    public init(memoryByteCount: UInt64, fileByteCount: UInt64, descriptorCount: UInt64, threadCount: UInt64) {
        self.memoryByteCount = memoryByteCount
        self.fileByteCount = fileByteCount
        self.descriptorCount = descriptorCount
        self.threadCount = threadCount
    }

    /// As the kernel takes them. The number of threads is left alone where it would count the user's others too.
    func list(countsThreads: Bool) -> [CLinuxShims_Limit] {
        func limit(_ resource: CLinuxShims_Resource, _ value: UInt64, hard: UInt64? = nil) -> CLinuxShims_Limit {
            CLinuxShims_Limit(resource: Int32(resource.rawValue), soft: value, hard: hard ?? value)
        }
        var list = [
            limit(CLinuxShims_memory, memoryByteCount), limit(CLinuxShims_lockedMemory, lockedByteCount),
            limit(CLinuxShims_fileSize, fileByteCount), limit(CLinuxShims_descriptors, descriptorCount),
            limit(CLinuxShims_realtimePriority, UInt64(max(0, realtimePriority))),
            limit(CLinuxShims_realtimeTime, realtimeMicroseconds, hard: 2 * realtimeMicroseconds),
            limit(CLinuxShims_niceness, 0),
            limit(CLinuxShims_coreDump, 0), limit(CLinuxShims_messageQueues, 0),
        ]
        if countsThreads { list.append(limit(CLinuxShims_threads, threadCount)) }
        return list
    }
}
