// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which known locations a scan covers again. Any thread.

/// How much of earlier scans is reused.
package enum ScanScope: Hashable, Sendable {
    /// Everything: only new and changed locations are scanned.
    case changed
    /// Everything but failures: a location that took too long or lacked memory may succeed now.
    case failures
    /// Nothing.
    case everything

    /// Whether a location with this known outcome is scanned again.
    func asksAgain(_ outcome: ScanOutcome) -> Bool {
        switch (self, outcome) {
        case (.changed, _), (.failures, .listing): false
        case (.failures, .failure), (.failures, .unasked), (.everything, _): true
        }
    }
}
