// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waiting for what processes do. Test thread.

import Glibc
import LinuxSystem
import TestSupport

/// Stops a process and waits until all of it stands still.
func halt(_ process: Int32) {
    kill(process, SIGSTOP)
    _ = waitUntil(milliseconds: 1000) { Census.state(of: process) == "T" }
}

/// Lets time pass until `condition` holds; false when it did not within `milliseconds`.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
    while !condition() {
        guard MonotonicClock.now() < deadline else { return false }
        Futex.pause(microseconds: 500)
    }
    return true
}
