// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a scan asks about once more though it is known. Any thread.

/// How much of what earlier scans have found is taken as it is.
public enum ScanScope: Hashable, Sendable {
    /// All of it: only what is new or has changed is asked about.
    case changed
    /// All but failures: what took too long on a busy machine, or found no memory, may do better now.
    case failures
    /// Nothing.
    case everything

    /// Whether a place of which this is known is asked about again.
    func asksAgain(_ outcome: ScanOutcome) -> Bool {
        switch (self, outcome) {
        case (.changed, _), (.failures, .listing): false
        case (.failures, .failure), (.failures, .unasked), (.everything, _): true
        }
    }
}
