// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A key of a document that its type does not know, with those that it does. Any thread.

/// A key that a document has, and that nothing reads.
package struct UnknownKey: Error, Hashable, Sendable {
    /// The object that has the key, from the outermost one on: keys, and indices of lists.
    package let path: [Step]
    package let key: String
    /// The keys that such an object may have.
    package let known: [String]

    /// A step into a document.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)

        init(_ key: any CodingKey) { self = key.intValue.map { .index($0) } ?? .key(key.stringValue) }
    }

    /// The defect, to follow a colon; the path leaves its outer `depth` steps out.
    package func reason(below depth: Int = 0) -> String {
        var place = ""
        for step in path.dropFirst(depth) {
            switch step {
            case .key(let key): place += (place.isEmpty ? "" : ".") + Self.shown(key)
            case .index(let index): place += "[\(index)]"
            }
        }
        let known = known.map { "\"\(Self.shown($0))\"" }.joined(separator: ", ")
        let owner = place.isEmpty ? "it" : "\"\(place)\""
        return "\(owner) has the key \"\(Self.shown(key))\", which there is not; keys are \(known)"
    }

    /// A key may hold any characters.
    private static func shown(_ key: String) -> String { key.isPrintable ? String(key.prefix(80)) : "?" }
}
