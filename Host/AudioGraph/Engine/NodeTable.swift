// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A table of nodes whose copies share all that has not changed: each call within an edit keeps the graph before it. Any thread.

/// A dictionary in parts; a change after a copy copies one part.
struct NodeTable<Value: Sendable>: Sendable {
    private var parts = [[ObjectIdentifier: Value]](repeating: [:], count: 1 << Self.bitCount)
    private static var bitCount: UInt { 7 }

    /// The value of a node; nil without one.
    subscript(node: ObjectIdentifier) -> Value? {
        get { parts[Self.part(of: node)][node] }
        _modify { yield &parts[Self.part(of: node)][node] }
    }

    /// All values, in no particular order.
    var values: some Sequence<Value> { parts.lazy.flatMap(\.values) }

    /// The part of a node: the upper bits of its address times 2⁶⁴ divided by the golden ratio, which spreads addresses evenly.
    private static func part(of node: ObjectIdentifier) -> Int {
        Int((UInt(bitPattern: node) &* 0x9E37_79B9_7F4A_7C15) >> (64 - bitCount))
    }
}
