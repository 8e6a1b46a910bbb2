// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Waiting for processes. Test thread.

import Glibc
import LinuxSystem
import TestSupport

/// Stops a process and waits until all its threads are stopped.
func halt(_ process: Int32) {
    kill(process, SIGSTOP)
    _ = waitUntil(milliseconds: 1000) { Census.state(of: process) == "T" }
}

/// Waits until `condition` holds; false if it did not within `milliseconds`, or ``Patience/factor`` times as long.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicClock.now() + UInt64(milliseconds * Patience.factor) * 1_000_000
    while !condition() {
        guard MonotonicClock.now() < deadline else { return false }
        Futex.pause(microseconds: 500)
    }
    return true
}
