// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The error of work that the user has stopped. Any thread.

/// The user has stopped the work, with Ctrl-C for example.
package struct Interrupted: Error, CustomStringConvertible {
    /// One sentence that says what was not done.
    package let description: String
}
