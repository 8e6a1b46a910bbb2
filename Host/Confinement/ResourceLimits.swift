// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The limits on a process's resources. Any thread.

import CConfinementShims
import CLinuxShims
import LinuxSystem

/// `[any]` Limits of a process from its start, which it cannot raise.
///
/// If this process has a lower limit, that applies to the child as well.
package struct ResourceLimits: Hashable, Sendable {
    /// The bytes of private, writable memory.
    package var memoryByteCount: UInt64
    /// The bytes of memory that it may lock against swapping.
    package var lockedByteCount: UInt64 = 64 << 20
    /// The bytes of one file that it writes.
    package var fileByteCount: UInt64
    /// The number of open descriptors, at most `mostDescriptorCount`.
    package var descriptorCount: UInt64
    /// The number of processes and threads, counted in its own user namespace.
    ///
    /// Without a namespace the kernel counts all processes and threads of the user.
    package var threadCount: UInt64
    /// The highest real-time priority that it can take, or get from an ordinary user; 0 for none.
    package var realtimePriority: Int32 = 0
    /// The microseconds that a real-time thread may run without sleep.
    ///
    /// The default suits a block of 8192 frames at 32 kHz or more; longer blocks are granted more, up to
    /// `mostRealtimeMicroseconds`.
    ///
    /// Beyond the limit the kernel ends the process with SIGXCPU. A process that survives that signal gets SIGKILL at
    /// `mostRealtimeMicroseconds`. As soon as the host notices a thread that does not sleep, it lowers that thread's priority.
    /// This limit is for a host that is delayed, stuck or gone.
    package var realtimeMicroseconds: UInt64 = 250_000
    /// The highest value that `realtimeMicroseconds` can be raised to.
    ///
    /// Beyond it the kernel ends the process with SIGKILL.
    package var mostRealtimeMicroseconds: UInt64 = 2_000_000

    /// The most descriptors of any process.
    ///
    /// The kernel counts descriptors in transit: those that a user's processes have sent and that have not been received. It
    /// refuses to send more if the limit of the sender, usually 1024, is lower than that count. The check comes before a
    /// message of up to 253 descriptors is counted.
    package static let mostDescriptorCount: UInt64 = 700

    /// The number of pending signals and timers.
    ///
    /// All processes of a user share one pool.
    private static let pendingSignalCount: UInt64 = 1024

    /// The bytes of a core dump: too few for one.
    ///
    /// With a limit of 0 the kernel would still pass a crashed process's memory to the machine's handler, if there is one.
    private static let noCoreDump: UInt64 = 1

    /// Makes limits; those with a default keep it.
    package init(memoryByteCount: UInt64, fileByteCount: UInt64, descriptorCount: UInt64, threadCount: UInt64) {
        self.memoryByteCount = memoryByteCount
        self.fileByteCount = fileByteCount
        self.descriptorCount = descriptorCount
        self.threadCount = threadCount
    }

    /// The limits for the kernel.
    ///
    /// Without `countsThreads` there is no limit on threads: the kernel would also count the user's other threads.
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
            limit(CLinuxShims_coreDump, Self.noCoreDump), limit(CLinuxShims_messageQueues, 0),
            limit(CLinuxShims_pendingSignals, Self.pendingSignalCount),
        ]
        if countsThreads { list.append(limit(CLinuxShims_threads, threadCount)) }
        return list
    }
}
