// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the system calls of one thread through the kernel's tracepoint. Any thread but a render thread.

import CLinuxShims
import Glibc

/// Counts the system calls of a thread from now on; meanwhile each call takes longer.
public final class SystemCallCounter: Sendable {
    private let all, others: Descriptor

    /// The number of the tracepoint raw_syscalls:sys_enter, which differs from kernel to kernel.
    ///
    /// Throws `SystemError` if tracefs is not mounted, or not readable for this user.
    public static func tracepoint() throws(SystemError) -> UInt64 {
        let folder = "tracing/events/raw_syscalls/sys_enter/id"
        for path in ["/sys/kernel/\(folder)", "/sys/kernel/debug/\(folder)"] {
            guard let file = fopen(path, "r") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = fread(&bytes, 1, bytes.count, file)
            if let number = UInt64(String(decoding: bytes[..<count].prefix { $0 > 0x20 }, as: UTF8.self)) { return number }
        }
        throw SystemError("read the number of the tracepoint raw_syscalls:sys_enter in /sys/kernel/tracing")
    }

    /// Begins to count.
    ///
    /// Throws EACCES without the right to count the thread's calls (CAP_PERFMON), and ESRCH if the thread is gone.
    public init(thread: pid_t, tracepoint: UInt64) throws(SystemError) {
        let act = "count the system calls of thread \(thread)"
        all = Descriptor(owning: try SystemError.check(CLinuxShims_systemCallCounter(thread, tracepoint, false), act))
        others = Descriptor(owning: try SystemError.check(CLinuxShims_systemCallCounter(thread, tracepoint, true), act))
    }

    /// The counts so far; a thread that reads its own counts makes two more calls each time.
    public var counts: SystemCallCounts { SystemCallCounts(all: Self.read(all), others: Self.read(others)) }

    private static func read(_ descriptor: borrowing Descriptor) -> Int {
        var value: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &value) { SystemCall.read(descriptor.number, into: $0) }
        return count == 8 ? Int(clamping: value) : 0
    }
}

/// Numbers of system calls.
public struct SystemCallCounts: Hashable, Sendable {
    /// All calls, and those that are not futex calls.
    public var all = 0, others = 0

    /// Makes counts, by default of zero.
    public init(all: Int = 0, others: Int = 0) { (self.all, self.others) = (all, others) }

    /// The calls between two readings.
    public static func - (left: Self, right: Self) -> Self {
        SystemCallCounts(all: left.all - right.all, others: left.others - right.others)
    }

    /// Adds counts.
    public static func += (left: inout Self, right: Self) {
        left.all += right.all
        left.others += right.others
    }
}
