// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages for the user at the terminal. Any thread.

import Glibc

/// The destination of progress and complaints, so that standard output has only figures.
package enum StandardError {
    /// Prints a line.
    package static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(2, bytes, bytes.count)
    }
}
