// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wakes a thread once processes have run for a while, so that it need not look whether they do. The thread that sleeps.

import CLinuxShims
import Glibc

/// POSIX timers on the processor time of other processes, and a descriptor to sleep at. All of it is for the thread that made it.
public struct ProcessorTimeAlarm: ~Copyable {
    /// Can be read once a process has run for as long as was said.
    public let descriptor: Int32
    private let signal: Int32
    /// By the kernel's numbers, which begin at 0.
    private var timers: [UInt] = []

    public init() throws(SystemError) {
        var signal: Int32 = 0
        descriptor = try SystemError.check(CLinuxShims_blockedSignalDescriptor(&signal), "make a signalfd")
        self.signal = signal
    }

    deinit {
        for timer in timers { CLinuxShims_deleteTimer(timer) }
        close(descriptor)
    }

    /// To be woken once one of `processes` has run for `nanoseconds` from now on, all its threads together; false where the kernel
    /// does not do that for all of them.
    public mutating func set(_ processes: [pid_t], nanoseconds: UInt64) -> Bool {
        clear()
        for process in processes {
            var timer = UInt()
            guard CLinuxShims_startProcessorTimer(process, signal, nanoseconds, &timer) == 0 else {
                clear()
                return false
            }
            timers.append(timer)
        }
        return true
    }

    /// Nobody is awaited any more.
    public mutating func clear() {
        for timer in timers { CLinuxShims_deleteTimer(timer) }
        timers = []
        var information = [UInt8](repeating: 0, count: 128)
        while read(descriptor, &information, information.count) > 0 {}
    }
}
