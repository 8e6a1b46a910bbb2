// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Wakes a thread once processes have run for some time, so that it need not poll them. The sleeping thread.

import CLinuxShims
import Glibc

/// POSIX timers on the processor time of other processes, with a descriptor to poll.
///
/// Only the thread that made it may use it.
public struct ProcessorTimeAlarm: ~Copyable {
    /// The descriptor, which becomes readable once a process has run for the time set.
    public let descriptor: Int32
    private let signal: Int32
    /// The kernel's numbers of the timers; they begin at 0.
    private var timers: [UInt] = []

    /// Blocks a signal for the calling thread and makes its descriptor; throws `SystemError`.
    public init() throws(SystemError) {
        var signal: Int32 = 0
        descriptor = try SystemError.check(CLinuxShims_blockedSignalDescriptor(&signal), "make a signalfd")
        self.signal = signal
    }

    deinit {
        for timer in timers { CLinuxShims_deleteTimer(timer) }
        close(descriptor)
    }

    /// Sets an alarm that rings once all threads of one of `processes` have together run for `nanoseconds` from now on.
    ///
    /// Returns false, and sets no alarm, if the kernel refuses a timer for one of them.
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

    /// Removes all timers and forgets signals that have arrived.
    public mutating func clear() {
        for timer in timers { CLinuxShims_deleteTimer(timer) }
        timers = []
        var information = [UInt8](repeating: 0, count: 128)
        while information.withUnsafeMutableBytes({ SystemCall.read(descriptor, into: $0) }) > 0 {}
    }
}
