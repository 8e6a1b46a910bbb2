// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Limits of running processes, this one and others. Any thread.

import CLinuxShims

/// Changes limits of running processes.
public enum ProcessLimits {
    /// Lets real-time threads of a process run at least this long without sleep, as far as its hard limit allows.
    public static func raise(realtimeMicroseconds microseconds: UInt64, to process: Int32) {
        CLinuxShims_raiseRealtimeTime(process, microseconds)
    }

    /// Limits the time that a real-time thread of a process runs without sleep; the limit cannot be raised again.
    ///
    /// The process must belong to this user. The kernel sends it SIGXCPU after three quarters of the time, and SIGKILL at the
    /// end.
    public static func bound(realtimeMicroseconds microseconds: UInt64, of process: Int32) {
        CLinuxShims_boundRealtimeTime(process, microseconds)
    }

    /// Raises the limit on open descriptors as far as allowed, but not for processes that this one starts.
    public static func raiseDescriptorCount() { CLinuxShims_raiseDescriptorCount() }
}
