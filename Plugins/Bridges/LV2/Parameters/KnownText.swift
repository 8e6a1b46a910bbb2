// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The value of a text property, and which side set it. Control thread.

/// The last known value of a text.
struct KnownText {
    var text: String
    /// True if the host set it, so that the next instance gets it again; texts of the plug-in are in its state.
    var isFromHost: Bool
    /// True if the plug-in has not yet reported the host's text as its own.
    var isAwaited: Bool
    /// The key under which the plug-in takes it from a state, if it takes it only from there.
    var stateKey: String?
    /// True if the user has been told that the plug-in may have ignored it.
    var isDoubted = false

    init(text: String, isFromHost: Bool) {
        self.text = text
        self.isFromHost = isFromHost
        isAwaited = isFromHost
    }
}
