// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the tests of the graph wait for, and how they name nodes. Test thread.

import AudioGraph
import TestSupport

/// Whether a node has a name, in patterns of errors.
func ~= (name: String, node: NamedNode) -> Bool { node.name == name }

/// Waits until `condition` holds, which takes up to `milliseconds` on a machine of one's own; see ``Patience``.
func waitUntil(milliseconds: Int, _ condition: () -> Bool) -> Bool {
    Patience.until(within: Double(milliseconds) / 1000, condition)
}
