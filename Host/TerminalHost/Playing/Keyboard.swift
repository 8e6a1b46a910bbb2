// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Single keys on a terminal, as they are pressed, while a command plays. Main thread.

import Glibc
import Synchronization

/// The terminal that the command is controlled from. Ctrl-C and its like stay signals.
final class Keyboard {
    private static let isChanged = Atomic<Bool>(false)
    /// The terminal as it was. Not a global `termios`: the compiler makes room for one without the gaps that it has in C.
    // SAFETY: written before `isChanged`; read by whoever sees that, a signal handler included.
    nonisolated(unsafe) private static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Nil where nobody can press a key: without a terminal, and in the background.
    init?() {
        guard isatty(STDIN_FILENO) == 1, Terminal.isInteractive, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        guard tcgetattr(STDIN_FILENO, Self.original) == 0 else { return nil }
        var changed = Self.original.pointee
        changed.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A read returns at once, with nothing when no key was pressed.
        changed.c_cc.6 = 0
        changed.c_cc.5 = 0
        Self.isChanged.store(true, ordering: .releasing)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &changed) == 0 else { return nil }
    }

    deinit { Self.restore() }

    /// The key that was pressed first since the last call, in lower case.
    func next() -> Character? {
        var byte: UInt8 = 0
        guard read(STDIN_FILENO, &byte, 1) == 1, byte < 0x80 else { return nil }
        return Character(Unicode.Scalar(byte)).lowercased().first
    }

    /// Leaves the terminal as it was. May be called from a signal handler.
    static func restore() {
        guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, original)
    }
}
