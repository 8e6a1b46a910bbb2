// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Messages for the user at the terminal. Any thread.

import Glibc

/// Where progress and complaints go, so that standard output holds figures alone.
package enum StandardError {
    /// Prints a line.
    package static func say(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(2, bytes, bytes.count)
    }
}
