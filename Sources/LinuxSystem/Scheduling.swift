// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processors and the real-time priorities of threads. Control thread.

import CLinuxShims
import Glibc

/// The scheduling of a thread by the kernel.
public struct SchedulingClass: Hashable, Sendable {
    /// The priority 1 to 99 under SCHED_FIFO; 0 for an ordinary thread.
    public var realtimePriority: Int32

    /// The class of a thread without real-time priority.
    public static let ordinary = SchedulingClass(realtimePriority: 0)

    /// Makes the class of a real-time priority; 0 is an ordinary thread.
    public init(realtimePriority: Int32) { self.realtimePriority = realtimePriority }
}

/// The scheduling of single threads, by the kernel's thread ids; 0 is the calling thread.
public enum Scheduling {
    /// The kernel's id of the calling thread.
    public static var currentThread: pid_t { CLinuxShims_threadIdentifier() }

    /// Sets the scheduling class of a thread.
    ///
    /// Throws EPERM if the process lacks the right: raise `ulimit -r`, or install rtkit.
    public static func set(_ schedulingClass: SchedulingClass, ofThread thread: pid_t) throws(SystemError) {
        let policy = schedulingClass.realtimePriority > 0 ? SCHED_FIFO : SCHED_OTHER
        var result = CLinuxShims_setScheduler(thread, policy, schedulingClass.realtimePriority)
        // A thread under round robin may keep that, at the same priority or a lower one.
        if result == -EPERM, policy == SCHED_FIFO {
            result = CLinuxShims_setScheduler(thread, SCHED_RR, schedulingClass.realtimePriority)
        }
        try SystemError.check(result, "give thread \(thread) real-time priority \(schedulingClass.realtimePriority)")
    }

    /// The scheduling class of a thread; nil if the thread is gone.
    public static func schedulingClass(ofThread thread: pid_t) -> SchedulingClass? {
        var policy: Int32 = 0
        var priority: Int32 = 0
        guard CLinuxShims_scheduler(thread, &policy, &priority) == 0 else { return nil }
        return SchedulingClass(realtimePriority: policy == SCHED_FIFO || policy == SCHED_RR ? priority : 0)
    }

    /// The processor on which a thread of this process ran last, from its `stat` in /proc; nil if the thread is gone.
    public static func lastProcessor(ofThread thread: pid_t) -> Int? {
        guard let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = fread(&bytes, 1, bytes.count, file)
        // The name in parentheses may contain anything. The processor is 36 fields after it.
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 37 ? Int(fields[37]) : nil
    }

    /// Finds the thread that a process, perhaps in its own PID namespace, knows by `identifier`; nil if there is none.
    public static func thread(ofProcess process: pid_t, knownThereAs identifier: pid_t) -> pid_t? {
        for thread in threads(ofProcess: process) {
            guard let file = fopen("/proc/\(process)/task/\(thread)/status", "r") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = fread(&bytes, 1, bytes.count, file)
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            // The numbers go from the outermost namespace to the innermost. The name, which comes before them, has no line
            // feed.
            let line = text.split(separator: "\n").first { $0.hasPrefix("NSpid:") }
            if line?.split(whereSeparator: \.isWhitespace).last.flatMap({ pid_t($0) }) == identifier { return thread }
        }
        return nil
    }

    /// The processors on which a thread may run; empty if it is gone.
    public static func processors(ofThread thread: pid_t) -> Set<Int> {
        var mask = [UInt64](repeating: 0, count: 16)
        guard CLinuxShims_processors(thread, &mask, mask.count) >= 0 else { return [] }
        return Set((0..<1024).filter { mask[$0 / 64] >> UInt64($0 % 64) & 1 == 1 })
    }

    /// Binds a thread to processors; throws `SystemError`.
    public static func setProcessors(_ processors: Set<Int>, ofThread thread: pid_t) throws(SystemError) {
        var mask = [UInt64](repeating: 0, count: 16)
        for processor in processors where processor < 1024 { mask[processor / 64] |= 1 << UInt64(processor % 64) }
        let result = CLinuxShims_setProcessors(thread, mask, mask.count)
        try SystemError.check(result, "bind thread \(thread) to processors \(processors.sorted())")
    }

    /// Binds a thread to one processor; false if it may not run there, or is gone.
    ///
    /// The call waits for a thread that runs on another processor. A thread with a deadline must not call it.
    @_noLocks
    public static func bind(_ thread: pid_t, to processor: Int32) -> Bool { CLinuxShims_bindThread(thread, processor) == 0 }

    /// Keeps a thread off a processor, and with it all threads and processes that it starts later.
    ///
    /// It may still run on all other processors of this process. If there are none, nothing changes.
    public static func keep(thread: pid_t, off processor: Int) {
        let others = processors(otherThan: processor)
        if !others.isEmpty { try? setProcessors(others, ofThread: thread) }
    }

    /// The processors of this process other than `processor`.
    public static func processors(otherThan processor: Int) -> Set<Int> { ownProcessors.subtracting([processor]) }

    /// The processors of this process, before any thread was kept off one.
    public static let ownProcessors = processors(ofThread: getpid())

    /// The threads of a process, by their numbers in this PID namespace.
    public static func threads(ofProcess process: pid_t) -> [pid_t] {
        (FolderEntries.names(in: "/proc/\(process)/task") ?? []).compactMap { pid_t($0) }
    }

    /// Raises this process's limits on real-time priority and locked memory as far as allowed.
    public static func raiseRealtimeLimits() { CLinuxShims_raiseRealtimeLimits() }

    /// True if a process has a thread with this number.
    ///
    /// `[any]` Unlike a read in /proc, the call takes no lock that an ending thread may hold. So real-time threads may call it.
    @_noLocks
    public static func isThread(_ thread: pid_t, of process: pid_t) -> Bool { CLinuxShims_findThread(process, thread) == 0 }

    /// Names the calling thread, as `top -H` shows it; 15 bytes are kept.
    public static func nameThread(_ name: String) { CLinuxShims_nameThread(name) }
}
