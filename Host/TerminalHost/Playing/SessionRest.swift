// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// While the driver asks for no audio the command that plays sleeps until something happens. Main thread.

import Glibc
import LinuxSystem

/// Finds out when there is nothing to show and nothing to follow.
struct SessionRest: ~Copyable {
    /// Nanoseconds without a cycle after which nothing is being played.
    private static let patience: UInt64 = 2_000_000_000

    private var lastCycle: UInt64 = 0
    private var since = MonotonicClock.now()

    /// Whether no cycle has come for a while.
    mutating func isDue(cycle: UInt64) -> Bool {
        if cycle != lastCycle { (lastCycle, since) = (cycle, MonotonicClock.now()) }
        return MonotonicClock.now() > since + Self.patience
    }

    /// Sleeps until a cycle comes, a key is pressed, the driver or a unit fails, the user wants to end, or so many seconds are over.
    ///
    /// Whatever has rung since the news were quietened is reason enough not to.
    mutating func sleep(_ session: RealtimeSession, hasKeyboard: Bool, seconds: Double?) {
        // A cycle that has come meanwhile has found nobody to ring for.
        if session.player.awaitCycle(after: lastCycle) {
            var polled = [pollfd(fd: session.news.descriptor, events: Int16(POLLIN), revents: 0)]
            if hasKeyboard { polled.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
            poll(&polled, nfds_t(polled.count), seconds.map { Int32(min($0, 1e6) * 1000) + 1 } ?? -1)
        }
        since = MonotonicClock.now()
    }
}
