// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node that an error concerns, with the name that it had. Any thread.

/// The node that an error concerns, and its name at the time of the error.
///
/// Names need not be unique: `node` identifies the node. An error does not keep the node alive. Two values are equal if they have the same
/// node and the same name.
public struct NamedNode: Sendable {
    /// The name of the node at the time of the error.
    public let name: String
    /// The node; nil after the end of its life, and for something that is no node, such as a converter.
    public weak let node: AudioNode?
    private let identifier: ObjectIdentifier?

    /// Stores a node with its present name.
    public init(_ node: AudioNode) { (name, self.node, identifier) = (node.name, node, ObjectIdentifier(node)) }

    /// Names something that is no node of the program.
    init(_ name: String) { (self.name, node, identifier) = (name, nil, nil) }
}

extension NamedNode: Hashable {
    /// Returns true if both have the same node and the same name.
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
