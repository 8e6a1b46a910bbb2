// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The signals of a terminal: another size, to the background, and back. Main thread; the handlers run on any.

import Glibc
import LinuxSystem
import Synchronization

/// Records the signals that have arrived.
enum ScreenSignals {
    private static let arrived = Atomic<UInt32>(0)
    private static let event = Atomic<Int32>(-1)

    /// Watches SIGWINCH, SIGTSTP and SIGCONT, which ring `bell` from now on.
    static func watch(ringing bell: EventBell) {
        event.store(bell.descriptor, ordering: .sequentiallyConsistent)
        _ = arrived.load(ordering: .relaxed)
        for number in [SIGWINCH, SIGTSTP, SIGCONT] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { ScreenSignals.arrive($0) }
            sigaction(number, &action, nil)
        }
    }

    /// Restores the system's handlers.
    static func ignore() {
        for number in [SIGWINCH, SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
        event.store(-1, ordering: .sequentiallyConsistent)
    }

    private static func arrive(_ number: Int32) {
        // The interrupted code may be about to read errno.
        let code = errno
        arrived.bitwiseOr(1 << UInt32(number & 31), ordering: .sequentiallyConsistent)
        EventBell(descriptor: event.load(ordering: .sequentiallyConsistent)).ring()
        errno = code
    }

    /// The signals since the last call.
    static func take() -> Set<Int32> {
        let bits = arrived.exchange(0, ordering: .sequentiallyConsistent)
        return Set([SIGWINCH, SIGTSTP, SIGCONT].filter { bits & 1 << UInt32($0) != 0 })
    }

    /// Stops all processes of this terminal's job, as Ctrl-Z does, and returns when the job continues.
    static func stop() {
        signal(SIGTSTP, SIG_DFL)
        kill(0, SIGTSTP)
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { ScreenSignals.arrive($0) }
        sigaction(SIGTSTP, &action, nil)
    }
}
