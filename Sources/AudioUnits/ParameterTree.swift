// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's parameters in nested groups. The shape is fixed; values live elsewhere. Any thread.

/// A group of parameters and of further groups.
public struct ParameterGroup: Hashable, Sendable {
    /// Permanent, unique among siblings.
    public var identifier: String
    public var name: String
    public var children: [ParameterNode]

    public init(_ identifier: String, name: String, _ children: [ParameterNode]) {
        self.identifier = identifier
        self.name = name
        self.children = children
    }
}

/// A node of the tree: a parameter, or a group of nodes.
public indirect enum ParameterNode: Hashable, Sendable {
    case parameter(Parameter)
    case group(ParameterGroup)

    public var identifier: String {
        switch self {
        case .parameter(let parameter): parameter.identifier
        case .group(let group): group.identifier
        }
    }
}

/// The parameters of a unit, found by key path or by address.
public struct ParameterTree: Hashable, Sendable {
    /// The most parameters that a tree may hold; a limit for what a peer sends.
    public static let maximumParameterCount = 16_384
    /// The most parameters and groups together.
    public static let maximumNodeCount = 2 * maximumParameterCount
    /// The longest identifier, in bytes of UTF-8: a key path has one for each level.
    public static let maximumIdentifierByteCount = 128
    /// The deepest nesting of groups.
    public static let maximumDepth = 16

    public let children: [ParameterNode]
    /// Every parameter with its key path, depth first, in the author's order.
    public let parameters: [(keyPath: String, parameter: Parameter)]
    /// Indices of `parameters`, ordered by address and by key path; of those that are equal the first comes first. No dictionaries: a
    /// generic type that nobody else needs costs each extension more to make, when it starts, than it ever gains by looking things up.
    private let indicesByAddress: [Int]
    private let indicesByKeyPath: [Int]

    public init(_ children: [ParameterNode]) {
        self.children = children
        var flat: [(keyPath: String, parameter: Parameter)] = []
        Self.flatten(children, prefix: "", into: &flat)
        parameters = flat
        indicesByAddress = flat.indices.sorted {
            (flat[$0].parameter.address, $0) < (flat[$1].parameter.address, $1)
        }
        indicesByKeyPath = flat.indices.sorted { (flat[$0].keyPath, $0) < (flat[$1].keyPath, $1) }
    }

    /// A tree without groups.
    public init(_ parameters: Parameter...) { self.init(parameters.map { .parameter($0) }) }

    public subscript(address address: UInt64) -> Parameter? { index(ofAddress: address).map { parameters[$0].parameter } }

    public subscript(keyPath keyPath: String) -> Parameter? {
        let index = Self.first(of: indicesByKeyPath) { parameters[$0].keyPath >= keyPath }
        guard let index, parameters[index].keyPath == keyPath else { return nil }
        return parameters[index].parameter
    }

    /// The permanent path of the parameter at an address, such as `filter.envelope.attack`.
    public func keyPath(ofAddress address: UInt64) -> String? { index(ofAddress: address).map { parameters[$0].keyPath } }

    private func index(ofAddress address: UInt64) -> Int? {
        let index = Self.first(of: indicesByAddress) { parameters[$0].parameter.address >= address }
        guard let index, parameters[index].parameter.address == address else { return nil }
        return index
    }

    /// The first of `indices` for which `isReached` holds, which then holds for all that follow; by bisection.
    private static func first(of indices: [Int], where isReached: (Int) -> Bool) -> Int? {
        var unreached = 0
        var reached = indices.count
        while unreached < reached {
            let middle = (unreached + reached) / 2
            if isReached(indices[middle]) { reached = middle } else { unreached = middle + 1 }
        }
        return reached < indices.count ? indices[reached] : nil
    }

    public static func == (left: ParameterTree, right: ParameterTree) -> Bool { left.children == right.children }

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
