// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the user wants of the host or of the terminal. Any thread.

import Control
import JSON

/// What follows a key.
package enum ScreenAction: Hashable, Sendable {
    /// A request; its answer is used as `purpose` says.
    case call(String, [String: JSONValue], ScreenPurpose)
    /// Sets a value; of several for one path, which follow each other quickly, the last one counts.
    case set(path: String, value: JSONValue)
    /// Shows the host of that name.
    case attach(String)
    /// Leaves the screen; the host plays on.
    case leave
    /// Ends the host, and then the screen.
    case stop
    /// Goes to the background, as Ctrl-Z does.
    case suspend
    /// Draws everything anew.
    case redraw
}

/// What the answer to a request is for.
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
    /// The view of a node was opened.
    case view(node: String)
    case nothing
    /// Nobody wants to know, not even of a refusal.
    case quiet

    /// Whether it changes the graph.
    var isEdit: Bool {
        switch self {
        case .edit, .added, .undone: true
        default: false
        }
    }
}
