// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reason why text could not be written to standard output. Any thread.

import Glibc
import LinuxSystem

/// A loss of output.
package enum OutputError: Error, CustomStringConvertible {
    /// The reader has closed its end of the pipe.
    case unread
    case failed(SystemError)

    package var description: String {
        switch self {
        case .unread: ""
        case .failed(let error): "\(error)"
        }
    }
}
