// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sentences for the user about what a plug-in did not do. Control thread.

import Glibc

/// Sentences that go where plug-ins print: to standard error, with the unit's name before them.
enum Complaints {
    static func say(_ sentence: String) {
        let line = Array((sentence.filter { !$0.isNewline } + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
