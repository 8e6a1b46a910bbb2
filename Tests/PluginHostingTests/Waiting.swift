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

/// Waits until `condition` holds, which takes up to `milliseconds` on a machine of one's own; see ``Patience``.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    Patience.until(within: Double(milliseconds) / 1000, condition)
}
