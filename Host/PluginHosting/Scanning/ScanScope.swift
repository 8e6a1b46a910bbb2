// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The choice of known locations that a scan covers again. Any thread.

/// The part of earlier scans that is reused.
package enum ScanScope: Hashable, Sendable {
    /// Everything is reused: only new and changed locations are scanned.
    case changed
    /// Everything but failures is reused: a location that took too long or lacked memory may succeed now.
    case failures
    /// Nothing is reused.
    case everything

    /// True if a location with this known outcome is scanned again.
    func asksAgain(_ outcome: ScanOutcome) -> Bool {
        switch (self, outcome) {
        case (.changed, _), (.failures, .listing): false
        case (.failures, .failure), (.failures, .unasked), (.everything, _): true
        }
    }
}
