// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells whether the kernel is about to end a process, from the state of its threads in /proc. Any thread.

import Glibc

/// A process that the kernel has told to end.
public enum EndingProcess {
    /// True if each thread of a process has ended, or has to: a busy machine ends them one by one.
    ///
    /// A process cannot pretend that: one thread that goes on makes it false.
    public static func isEnding(_ process: pid_t) -> Bool {
        Scheduling.threads(ofProcess: process).allSatisfy { thread in
            guard let line = KernelFile.bytes("/proc/\(process)/task/\(thread)/stat", atMost: 1024), !line.isEmpty else {
                return true
            }
            return isEnding(stat: String(decoding: line, as: UTF8.self))
        }
    }

    /// True if the line of a thread in `stat` says that it has ended or exits, or that SIGKILL waits for it.
    ///
    /// Source: proc(5); the flags PF_EXITING and PF_DUMPCORE of Linux.
    static func isEnding(stat line: String) -> Bool {
        // The name in parentheses may contain anything.
        guard let end = line.lastIndex(of: ")") else { return false }
        let fields = line[end...].split(separator: " ").dropFirst().map(String.init)
        guard fields.count > 28 else { return false }
        let (flags, signals) = (UInt64(fields[6]) ?? 0, UInt64(fields[28]) ?? 0)
        return ["Z", "X", "x"].contains(fields[0]) || flags & 0x204 != 0 || signals & 1 << UInt64(SIGKILL - 1) != 0
    }
}
