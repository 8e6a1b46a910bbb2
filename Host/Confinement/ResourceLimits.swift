// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much of the machine a process may take. Any thread.

import CConfinementShims
import CLinuxShims
import LinuxSystem

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
    /// Microseconds that a real-time thread may run without sleeping, before the kernel ends the process with SIGXCPU: what a
    /// block of 8192 frames may take at 32 kHz or more. Whoever has longer ones is granted more, up to the most; who bears the
    /// signal is ended by SIGKILL then. The host takes the rank of a thread that does not sleep as soon as it has noticed; this is
    /// for when it is kept from looking, is stuck, or is gone.
    public var realtimeMicroseconds: UInt64 = 250_000
    public var mostRealtimeMicroseconds: UInt64 = 2_000_000

    /// Signals that wait, and timers: all of a user's processes share what there is.
    private static let pendingSignalCount: UInt64 = 1024

    public init(memoryByteCount: UInt64, fileByteCount: UInt64, descriptorCount: UInt64, threadCount: UInt64) {
        self.memoryByteCount = memoryByteCount
        self.fileByteCount = fileByteCount
        self.descriptorCount = descriptorCount
        self.threadCount = threadCount
    }

    /// As the kernel takes them. The number of threads is left alone where it would count the user's others too.
    func list(countsThreads: Bool) -> [CConfinementShims_Limit] {
        func limit(_ resource: CLinuxShims_Resource, _ value: UInt64, hard: UInt64? = nil) -> CConfinementShims_Limit {
            CConfinementShims_Limit(resource: Int32(resource.rawValue), soft: value, hard: hard ?? value)
        }
        var list = [
            limit(CLinuxShims_memory, memoryByteCount), limit(CLinuxShims_lockedMemory, lockedByteCount),
            limit(CLinuxShims_fileSize, fileByteCount), limit(CLinuxShims_descriptors, descriptorCount),
            limit(CLinuxShims_realtimePriority, UInt64(max(0, realtimePriority))),
            limit(CLinuxShims_realtimeTime, realtimeMicroseconds, hard: mostRealtimeMicroseconds),
            limit(CLinuxShims_niceness, 0),
            limit(CLinuxShims_coreDump, 0), limit(CLinuxShims_messageQueues, 0),
            limit(CLinuxShims_pendingSignals, Self.pendingSignalCount),
        ]
        if countsThreads { list.append(limit(CLinuxShims_threads, threadCount)) }
        return list
    }
}
