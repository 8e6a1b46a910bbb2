// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processor time of processes and threads. Any thread but a render thread.

import Glibc

/// The processor time of processes and threads.
public enum ProcessorTime {
    /// The nanoseconds that all threads of a process have run, including ended ones; nil if the process is gone.
    public static func nanoseconds(ofProcess process: pid_t) -> UInt64? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The nanoseconds that a thread has run, and that it has waited for a processor.
    ///
    /// The thread's number is that of this PID namespace. Nil if the thread is gone, or if the kernel keeps no statistics.
    public static func nanoseconds(ofThread thread: pid_t, of process: pid_t) -> (ran: UInt64, waited: UInt64)? {
        guard let bytes = KernelFile.bytes("/proc/\(process)/task/\(thread)/schedstat", atMost: 128) else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").prefix(2).compactMap { UInt64($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
}
