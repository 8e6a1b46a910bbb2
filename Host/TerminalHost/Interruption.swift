// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ctrl-C and its like: asked for in the loop of a command, so that it can end in order. Any thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization

/// Whether the user wants the command to end.
enum Interruption {
    private static let signalNumber = Atomic<Int32>(0)
    /// An eventfd to write to once the user wants to end.
    private static let event = Atomic<Int32>(-1)

    /// From now on SIGINT, SIGTERM and SIGHUP ask the command to end. A second one ends it at once.
    static func watch() {
        // They are made before anything can arrive.
        guard !isRequested, event.load(ordering: .relaxed) < 0 else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { Interruption.arrive($0) }
            sigaction(number, &action, nil)
            sigaddset(&signals, number)
        }
        // Whoever has started the command may have had them blocked, and that is inherited.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    private static func arrive(_ number: Int32) {
        // As a shell tells of a command that a signal has ended. What the command has started sees it hang up.
        guard signalNumber.exchange(number, ordering: .sequentiallyConsistent) != 0 else {
            // Whoever was interrupted may be about to read it.
            let code = errno
            let bell = EventBell(descriptor: event.load(ordering: .sequentiallyConsistent))
            if bell.descriptor >= 0 { bell.ring() }
            errno = code
            return
        }
        Keyboard.restore()
        _exit(128 + number)
    }

    /// Has it ring `bell`, too. Whoever that wakes looks at `isRequested` first.
    static func tell(_ bell: EventBell) { event.store(bell.descriptor, ordering: .sequentiallyConsistent) }

    static var isRequested: Bool { signalNumber.load(ordering: .sequentiallyConsistent) != 0 }

    /// Throws once the user wants to end; the sentence says what has not been done.
    static func check(_ sentence: String = "Stopped.") throws(CommandError) {
        if isRequested { throw .failed(sentence) }
    }
}
