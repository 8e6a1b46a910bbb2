// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node that an error is about, beside the name that it had. Any thread.

/// The node that an error is about, and what it was called when the error came up.
///
/// Names need not be unique: `node` says which node is meant. An error does not keep the node alive. Two of these are equal if they mean
/// the same node by the same name.
public struct NamedNode: Sendable {
    /// What the node was called.
    public let name: String
    /// The node; nil once nothing else holds it, and where an error is about something that is no node, such as a converter.
    public weak let node: AudioNode?
    private let identifier: ObjectIdentifier?

    /// Names a node as it is called now.
    public init(_ node: AudioNode) { (name, self.node, identifier) = (node.name, node, ObjectIdentifier(node)) }

    /// Names what is no node of a program's.
    init(_ name: String) { (self.name, node, identifier) = (name, nil, nil) }
}

extension NamedNode: Hashable {
    /// Whether both mean the same node by the same name.
    public static func == (left: NamedNode, right: NamedNode) -> Bool {
        left.identifier == right.identifier && left.name == right.name
    }

    /// Hashes the node's identity and the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
        hasher.combine(name)
    }
}

extension NamedNode: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
