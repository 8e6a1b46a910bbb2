// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a text property is, and who said so. Control thread.

/// A text as it was said last.
struct KnownText {
    var text: String
    /// Those that the host has set are set anew in the next instance; of those that the plug-in has set the state knows.
    var isFromHost: Bool
    /// The plug-in has not yet said that it has the host's text.
    var isAwaited: Bool

    init(text: String, isFromHost: Bool) {
        self.text = text
        self.isFromHost = isFromHost
        isAwaited = isFromHost
    }
}
