// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Limits of processes that run already: this one's and others'. Any thread.

import CLinuxShims

/// Changes limits of running processes.
public enum ProcessLimits {
    /// Has a real-time thread of a process run for at least so long without sleeping, as far as that process may.
    public static func raise(realtimeMicroseconds microseconds: UInt64, to process: Int32) {
        CLinuxShims_raiseRealtimeTime(process, microseconds)
    }

    /// Has the kernel end a process of this user's with SIGKILL when a real-time thread of it has run for so long without sleeping, and
    /// with SIGXCPU after three quarters of that. Nothing takes it back.
    public static func bound(realtimeMicroseconds microseconds: UInt64, of process: Int32) {
        CLinuxShims_boundRealtimeTime(process, microseconds)
    }

    /// Lets this process have as many descriptors open as it may let itself. Whoever it starts gets limits of its own.
    public static func raiseDescriptorCount() { CLinuxShims_raiseDescriptorCount() }
}
