// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much of the machine a process may use. Any thread.

import CConfinementShims
import CLinuxShims
import LinuxSystem

/// `[any]` Limits that a process has from its start and cannot raise.
///
/// A limit of this process applies to the child as well if it is lower.
package struct ResourceLimits: Hashable, Sendable {
    /// Bytes of private memory that it can write to.
    package var memoryByteCount: UInt64
    /// Bytes of memory that it may lock against swapping.
    package var lockedByteCount: UInt64 = 64 << 20
    /// Bytes of one file that it writes.
    package var fileByteCount: UInt64
    /// How many descriptors it may have open; `mostDescriptorCount` at most.
    package var descriptorCount: UInt64
    /// Processes and threads, counted in its own user namespace.
    ///
    /// Without one the kernel counts all of the user's together.
    package var threadCount: UInt64
    /// The highest real-time rank that it can give itself, or get from an ordinary user; 0 for none.
    package var realtimePriority: Int32 = 0
    /// Microseconds that a real-time thread may run without sleeping.
    ///
    /// The default is enough for a block of 8192 frames at 32 kHz or more; longer blocks are granted more, up to
    /// `mostRealtimeMicroseconds`.
    ///
    /// Past the limit the kernel ends the process with SIGXCPU. A process that survives that signal gets SIGKILL at
    /// `mostRealtimeMicroseconds`. The host lowers the rank of a thread that does not sleep as soon as it notices. This limit is
    /// for a host that is delayed, stuck or gone.
    package var realtimeMicroseconds: UInt64 = 250_000
    /// Microseconds that `realtimeMicroseconds` can be raised to.
    ///
    /// Past them the kernel ends the process with SIGKILL.
    package var mostRealtimeMicroseconds: UInt64 = 2_000_000

    /// The most descriptors of any process.
    ///
    /// The kernel counts the descriptors on their way: those that a user's processes have sent and that have not been received. It
    /// refuses to send more to a process that has fewer as its limit, which is usually 1024. It checks before it counts a message,
    /// which has up to 253.
    package static let mostDescriptorCount: UInt64 = 700

    /// Signals and timers that wait.
    ///
    /// All processes of a user share what there is.
    private static let pendingSignalCount: UInt64 = 1024

    /// Bytes of a core dump: too few for one.
    ///
    /// With a limit of 0 the kernel would still pass the memory of a process that crashes to the machine's handler, if there is one.
    private static let noCoreDump: UInt64 = 1

    /// Sets the limits that have no default.
    package init(memoryByteCount: UInt64, fileByteCount: UInt64, descriptorCount: UInt64, threadCount: UInt64) {
        self.memoryByteCount = memoryByteCount
        self.fileByteCount = fileByteCount
        self.descriptorCount = descriptorCount
        self.threadCount = threadCount
    }

    /// The limits in the form that the kernel takes.
    ///
    /// Without `countsThreads` the number of threads is left alone: the kernel would count the user's other threads as well.
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
