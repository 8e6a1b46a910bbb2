// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The parameters of a unit in nested groups. The shape is fixed; `ParameterValues` holds the values. Any thread.

import Glibc

/// A group of parameters and of further groups.
public struct ParameterGroup: Hashable, Sendable {
    /// The permanent identifier, unique among siblings; a part of the key path.
    public var identifier: String
    /// The name for people.
    public var name: String
    /// The parameters and groups inside, in the author's order.
    public var children: [ParameterNode]

    /// Makes a group of `children`.
    public init(_ identifier: String, name: String, _ children: [ParameterNode]) {
        self.identifier = identifier
        self.name = name
        self.children = children
    }
}

/// A node of the tree: a parameter, or a group of nodes.
public indirect enum ParameterNode: Hashable, Sendable {
    /// One parameter.
    case parameter(Parameter)
    /// A group of further nodes.
    case group(ParameterGroup)

    /// The identifier of the parameter or the group.
    public var identifier: String {
        switch self {
        case .parameter(let parameter): parameter.identifier
        case .group(let group): group.identifier
        }
    }
}

/// The parameters of a unit, found by key path or by address.
///
/// Two trees are equal if their nodes are. `validate()` checks that a tree is well formed.
public struct ParameterTree: Hashable, Sendable {
    /// The largest number of parameters in a tree; it limits the trees of a peer.
    public static let maximumParameterCount = 16_384
    /// The largest number of parameters and groups together.
    public static let maximumNodeCount = 2 * maximumParameterCount
    /// The longest identifier, in bytes of UTF-8.
    ///
    /// A key path has one identifier for each level.
    public static let maximumIdentifierByteCount = 128
    /// The deepest nesting of groups.
    public static let maximumDepth = 16

    /// The longest key path, in bytes of UTF-8.
    package static let maximumKeyPathByteCount = (maximumDepth + 1) * (maximumIdentifierByteCount + 1) - 1

    /// The nodes of the top level.
    public let children: [ParameterNode]
    /// Every parameter with its key path, depth first, in the author's order.
    public let parameters: [(keyPath: String, parameter: Parameter)]
    /// Indices of `parameters`, ordered by address and by key path; among equal ones, the first in the tree comes first.
    ///
    /// These are not dictionaries. Each further generic type lengthens the start of every extension by more than the
    /// look-ups would save.
    private let indicesByAddress: [Int]
    private let indicesByKeyPath: [Int]

    /// Makes a tree of `children`, which may be malformed: see `validate()`.
    public init(_ children: [ParameterNode]) {
        self.children = children
        var flat: [(keyPath: String, parameter: Parameter)] = []
        Self.flatten(children, prefix: "", into: &flat)
        parameters = flat
        indicesByAddress = flat.indices.sorted {
            (flat[$0].parameter.address, $0) < (flat[$1].parameter.address, $1)
        }
        indicesByKeyPath = flat.indices.sorted { left, right in
            let order = Self.order(flat[left].keyPath, flat[right].keyPath)
            return order == 0 ? left < right : order < 0
        }
    }

    /// Makes a tree without groups.
    public init(_ parameters: Parameter...) { self.init(parameters.map { .parameter($0) }) }

    /// The parameter at an address; nil if there is none.
    public subscript(address address: UInt64) -> Parameter? { index(ofAddress: address).map { parameters[$0].parameter } }

    /// The parameter with a key path such as `filter.envelope.attack`; nil if there is none.
    public subscript(keyPath keyPath: String) -> Parameter? {
        let index = Self.first(of: indicesByKeyPath) { Self.order(parameters[$0].keyPath, keyPath) >= 0 }
        guard let index, Self.order(parameters[index].keyPath, keyPath) == 0 else { return nil }
        return parameters[index].parameter
    }

    /// The permanent key path of the parameter at an address, such as `filter.envelope.attack`; nil if there is none.
    public func keyPath(ofAddress address: UInt64) -> String? { index(ofAddress: address).map { parameters[$0].keyPath } }

    private func index(ofAddress address: UInt64) -> Int? {
        let index = Self.first(of: indicesByAddress) { parameters[$0].parameter.address >= address }
        guard let index, parameters[index].parameter.address == address else { return nil }
        return index
    }

    /// The first of `indices` for which `isReached` holds, found by bisection.
    ///
    /// `isReached` must hold for all indices after that one, too.
    private static func first(of indices: [Int], where isReached: (Int) -> Bool) -> Int? {
        var unreached = 0
        var reached = indices.count
        while unreached < reached {
            let middle = (unreached + reached) / 2
            if isReached(indices[middle]) { reached = middle } else { unreached = middle + 1 }
        }
        return reached < indices.count ? indices[reached] : nil
    }

    /// Compares two texts by their bytes: negative, zero or positive.
    ///
    /// A comparison by characters can take a thousand times as long, if a plug-in chooses its texts for that.
    private static func order(_ left: String, _ right: String) -> Int {
        let common = left.utf8.withContiguousStorageIfAvailable { left in
            right.utf8.withContiguousStorageIfAvailable { right in
                Int(memcmp(left.baseAddress!, right.baseAddress!, min(left.count, right.count)))
            }
        }
        let order = common.flatMap { $0 } ?? 0
        return order == 0 ? left.utf8.count - right.utf8.count : order
    }

    /// True if both trees have the same nodes in the same order.
    public static func == (left: ParameterTree, right: ParameterTree) -> Bool { left.children == right.children }

    /// Hashes the nodes.
    public func hash(into hasher: inout Hasher) { hasher.combine(children) }

    private static func flatten(
        _ nodes: [ParameterNode], prefix: String, into flat: inout [(keyPath: String, parameter: Parameter)]
    ) {
        for node in nodes {
            switch node {
            case .parameter(let parameter): flat.append((prefix + parameter.identifier, parameter))
            case .group(let group): flatten(group.children, prefix: prefix + group.identifier + ".", into: &flat)
            }
        }
    }
}
