// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The value of a text property, and which side set it. Control thread.

/// The last known value of a text.
struct KnownText {
    var text: String
    /// The host set it, so the next instance gets it again; texts that the plug-in set are in its state.
    var isFromHost: Bool
    /// The plug-in has not yet reported the host's text as its own.
    var isAwaited: Bool
    /// The key under which the plug-in takes it, where it takes it only from a state.
    var stateKey: String?
    /// Whether the user has been told that the plug-in may not have taken it.
    var isDoubted = false

    init(text: String, isFromHost: Bool) {
        self.text = text
        self.isFromHost = isFromHost
        isAwaited = isFromHost
    }
}
