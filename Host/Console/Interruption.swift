// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ctrl-C and similar signals: a command checks for them in its loop, so that it can end in order. Any thread.

import Glibc
import LinuxSystem
import Synchronization

/// True if the user wants the command to end.
package enum Interruption {
    private static let signalNumber = Atomic<Int32>(0)
    /// An eventfd that is written to when the user wants to end.
    private static let event = Atomic<Int32>(-1)

    /// Makes SIGINT, SIGTERM and SIGHUP request the end of the command.
    ///
    /// A second signal ends it at once.
    package static func watch() {
        // Both atomics exist before a signal can arrive.
        guard !isRequested, event.load(ordering: .relaxed) < 0 else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { Interruption.arrive($0) }
            sigaction(number, &action, nil)
            sigaddset(&signals, number)
        }
        // The parent process may have blocked these signals. A child inherits that.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func arrive(_ number: Int32) {
        guard signalNumber.exchange(number, ordering: .sequentiallyConsistent) != 0 else {
            // The interrupted code may be about to read errno.
            let code = errno
            let bell = EventBell(descriptor: event.load(ordering: .sequentiallyConsistent))
            if bell.descriptor >= 0 { bell.ring() }
            errno = code
            return
        }
        Keyboard.restore()
        // A shell reports this status for a command that a signal has ended. The child processes notice the end.
        _exit(128 + number)
    }

    /// Also rings `bell` when the user wants to end.
    ///
    /// The woken thread checks `isRequested` first.
    package static func tell(_ bell: EventBell) { event.store(bell.descriptor, ordering: .sequentiallyConsistent) }

    package static var isRequested: Bool { signalNumber.load(ordering: .sequentiallyConsistent) != 0 }

    /// The exit status of a command that a signal has stopped: 128 plus the signal's number, as in a shell.
    package static var exitStatus: Int32 { 128 + signalNumber.load(ordering: .sequentiallyConsistent) }

    /// Throws once the user wants to end; the sentence names the unfinished work.
    package static func check(_ sentence: String = "Stopped.") throws(Interrupted) {
        if isRequested { throw Interrupted(description: sentence) }
    }
}
