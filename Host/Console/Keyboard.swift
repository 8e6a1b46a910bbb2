// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Single keys on a terminal, as they are pressed, while a command plays. Main thread.

import Glibc
import LinuxSystem
import Synchronization

/// The terminal's keyboard in raw mode.
///
/// Ctrl-C stays a signal.
package final class Keyboard {
    private static let isChanged = Atomic<Bool>(false)
    /// The terminal's former settings. Not a global `termios`: Swift lays one out without C's padding.
    // SAFETY: written before `isChanged` is set; read only after that is seen, even by a signal handler.
    nonisolated(unsafe) private static let original = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    /// Starts raw mode; nil without a terminal, or in the background.
    package init?() {
        guard isatty(STDIN_FILENO) == 1, Terminal.isInteractive, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return nil }
        guard tcgetattr(STDIN_FILENO, Self.original) == 0 else { return nil }
        var changed = Self.original.pointee
        changed.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A read returns at once; it is empty if no key was pressed.
        changed.c_cc.6 = 0
        changed.c_cc.5 = 0
        Self.isChanged.store(true, ordering: .releasing)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &changed) == 0 else { return nil }
    }

    deinit { Self.restore() }

    /// The first key since the last call, in lower case.
    package func next() -> Character? {
        var byte: UInt8 = 0
        guard withUnsafeMutableBytes(of: &byte, { SystemCall.read(STDIN_FILENO, into: $0) }) == 1, byte < 0x80 else { return nil }
        return Character(Unicode.Scalar(byte)).lowercased().first
    }

    /// Restores the terminal's settings.
    ///
    /// A signal handler may call it.
    package static func restore() {
        guard isChanged.exchange(false, ordering: .acquiringAndReleasing) else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, original)
    }
}
