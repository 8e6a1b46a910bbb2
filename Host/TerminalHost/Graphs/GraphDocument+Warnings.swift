// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Warnings about nodes and buses of a graph that are connected to nothing. Any thread.

import GraphDocuments
import PluginHosting

extension GraphDocument {
    /// Sentences on nodes and buses that are connected to nothing.
    var warnings: [String] {
        let names = idleNodes.count > Self.mostNames ? idleNodes.prefix(Self.mostNames) + ["…"] : idleNodes[...]
        return names.map { "\"\($0)\" leads nowhere: it is not heard." }
            + idleOutputBuses.map { "Nothing leads to the output bus \"\($0)\": it is silent." }
            + idleInputBuses.map { "The input bus \"\($0)\" leads nowhere: it is not heard." }
    }

    /// The most nodes that are named.
    private static let mostNames = 20
}
