// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sleeping on a shared word, and waking sleepers; this file vouches for system calls on the render path. Render thread.

import CLinuxShims
import Glibc

/// The kernel's fast userspace locks, used as doorbells between processes.
public enum Futex {
    /// The result of a wait.
    public enum Wait {
        /// The thread was woken, a signal arrived, or the word differs: read the word again.
        case lookAgain
        /// The deadline passed.
        case timedOut
    }

    /// `[render]` Sleeps while `word` holds `expected`, at most until `deadline`.
    ///
    /// The deadline is in nanoseconds of CLOCK_MONOTONIC; 0 waits for ever.
    @inlinable @_noLocks
    public static func wait(_ word: UnsafeMutablePointer<UInt32>, while expected: UInt32, until deadline: UInt64) -> Wait {
        CLinuxShims_futexWait(word, expected, deadline) == -110 ? .timedOut : .lookAgain
    }

    /// `[control]` Sleeps for `microseconds`.
    public static func pause(microseconds: UInt32) { usleep(microseconds) }

    /// `[render]` Wakes all threads that sleep on `word`, in any process.
    ///
    /// A wake-up of a single thread could reach the wrong one.
    @inlinable @_noLocks
    public static func wake(_ word: UnsafeMutablePointer<UInt32>) { _ = CLinuxShims_futexWake(word, .max) }
}

/// Helps a thread that reads a word again and again instead of sleeping on it.
public enum Spinning {
    /// The number of reads between two reads of the clock.
    ///
    /// They take a microsecond or less. One read of the clock takes as long as several of them.
    public static var looksBetweenTimes: Int { @_noLocks get { 32 } }

    /// `[render]` Waits some processor cycles, so that spinning costs other threads little.
    @_noLocks public static func pause() { CLinuxShims_pause() }
}

/// The clock CLOCK_MONOTONIC.
public enum MonotonicClock {
    /// `[render]` The time in nanoseconds, read without entering the kernel.
    @_noLocks public static func now() -> UInt64 { CLinuxShims_monotonicNanoseconds() }

    /// `[control]` Sleeps until `deadline`, in nanoseconds of this clock.
    public static func sleep(until deadline: UInt64) {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
    }
}
