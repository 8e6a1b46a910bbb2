// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sleep of a playing command while the driver asks for no audio. Main thread.

import Glibc
import LinuxSystem

/// Detects that there is nothing to show and nothing to follow.
struct SessionRest: ~Copyable {
    /// The nanoseconds without a cycle before a rest.
    private static let patience: UInt64 = 2_000_000_000

    private var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()

    /// True if no cycle has come for a while.
    mutating func isDue(cycle: UInt64) -> Bool {
        if cycle != lastCycle { (lastCycle, since) = (cycle, MonotonicClock.now()) }
        return MonotonicClock.now() > since + Self.patience
    }

    /// Sleeps until a cycle, a key, a failure or the end of the command, for at most this many seconds.
    ///
    /// A ring since the last `quieten` prevents the sleep.
    mutating func sleep(_ session: RealtimeSession, hasKeyboard: Bool, seconds: Double?) {
        // A cycle since the last look had no thread to wake.
        if session.player.awaitCycle(after: lastCycle) {
            let descriptors = [session.wakeUp.descriptor] + (hasKeyboard ? [STDIN_FILENO] : [])
            // Cannot trap: max comes last, and makes 0 of NaN.
            Descriptor.awaitAny(descriptors, nanoseconds: seconds.map { UInt64(max(0, min($0, 1e6)) * 1e9) })
        }
        since = MonotonicClock.now()
    }
}
