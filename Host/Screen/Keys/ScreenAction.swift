// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's requests to the host or the terminal. Any thread.

import Control
import JSON

/// The action of a key.
package enum ScreenAction: Hashable, Sendable {
    /// A request; `purpose` decides how its reply is used.
    case call(String, [String: JSONValue], ScreenPurpose)
    /// Sets a value; of several quick requests for one path, the last one counts.
    case set(path: String, value: JSONValue)
    /// Shows the host of that name.
    case attach(String)
    /// Leaves the screen; the host plays on.
    case leave
    /// Ends the host, and then the screen.
    case stop
    /// Goes to the background, as Ctrl-Z does.
    case suspend
    /// Redraws everything.
    case redraw
}

/// The purpose of a request, for its reply.
package enum ScreenPurpose: Hashable, Sendable {
    /// An edit; the sentence is logged once it is done.
    case edit(String)
    /// A node was added, which is then chosen.
    case added(String)
    case undone
    case status
    case parameters(node: String)
    case presets(node: String)
    case plugins
    case value
    case messages
    /// A view of a node was opened.
    case view(node: String)
    case nothing
    /// The reply is ignored, even a refusal.
    case quiet

    /// True if the request changes the graph.
    var isEdit: Bool {
        switch self {
        case .edit, .added, .undone: true
        default: false
        }
    }
}
