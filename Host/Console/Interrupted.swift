// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The error of work that the user has stopped. Any thread.

/// The error of work that the user has stopped, for example with Ctrl-C.
package struct Interrupted: Error, CustomStringConvertible {
    /// One sentence about the unfinished work.
    package let description: String
}
