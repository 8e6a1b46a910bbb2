// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sleeping on a shared word and waking who sleeps: the one file in which system calls on the render path are vouched for.

import CLinuxShims
import Glibc

/// The kernel's fast userspace locks, used as doorbells between processes.
public enum Futex {
    /// How a wait ended.
    public enum Wait {
        /// Woken, or the word differs, or a signal came: look again.
        case lookAgain
        case timedOut
    }

    /// `[render]` Sleeps while `word` holds `expected`, at most until `deadline` (CLOCK_MONOTONIC
    /// nanoseconds; 0 waits for ever).
    @inlinable @_noLocks
    public static func wait(_ word: UnsafeMutablePointer<UInt32>, while expected: UInt32, until deadline: UInt64) -> Wait {
        CLinuxShims_futexWait(word, expected, deadline) == -110 ? .timedOut : .lookAgain
    }

    /// `[control]` Lets `microseconds` pass.
    public static func pause(microseconds: UInt32) { usleep(microseconds) }

    /// `[render]` Wakes everybody who sleeps there, in any process: a single wake could be taken by one who is not meant.
    @inlinable @_noLocks
    public static func wake(_ word: UnsafeMutablePointer<UInt32>) { _ = CLinuxShims_futexWake(word, .max) }
}

/// What a thread does that looks at a word again and again instead of sleeping on it.
public enum Spinning {
    /// So many looks take a microsecond or less, and a look at the clock as long as some of them.
    public static var looksBetweenTimes: Int { @_noLocks get { 32 } }

    /// `[render]` Lets some cycles of the processor pass, so that looking costs others little.
    @_noLocks public static func pause() { CLinuxShims_pause() }
}

/// CLOCK_MONOTONIC.
public enum MonotonicClock {
    /// `[render]` Nanoseconds; read without entering the kernel.
    @_noLocks public static func now() -> UInt64 { CLinuxShims_monotonicNanoseconds() }

    /// Sleeps until `deadline`, in nanoseconds of this clock.
    public static func sleep(until deadline: UInt64) {
        var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &time, nil) == EINTR {}
    }
}
