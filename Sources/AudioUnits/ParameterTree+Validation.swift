// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks that a parameter tree is well formed; every tree that a message carries is checked. Any thread.

extension ParameterTree {
    /// Checks the limits, identifiers, addresses, ranges and defaults of the whole tree.
    ///
    /// Throws `UnitError.malformedTree`, which names the first fault.
    public func validate() throws(UnitError) {
        guard parameters.count <= Self.maximumParameterCount else {
            throw .malformedTree("\(parameters.count) parameters; \(Self.maximumParameterCount) are the most")
        }
        try Self.validateIdentifiers(children, path: "", depth: 0)
        var addresses: Set<UInt64> = []
        for (keyPath, parameter) in parameters {
            guard addresses.insert(parameter.address).inserted else {
                throw .malformedTree("address \(parameter.address) of \"\(keyPath)\" is taken")
            }
            try Self.validate(parameter, keyPath)
        }
    }

    private static func validate(_ parameter: Parameter, _ keyPath: String) throws(UnitError) {
        guard parameter.range.lowerBound.isFinite, parameter.range.upperBound.isFinite else {
            throw .malformedTree("the range of \"\(keyPath)\" is not finite")
        }
        guard parameter.range.contains(parameter.defaultValue) else {
            throw .malformedTree("the default of \"\(keyPath)\" lies outside its range")
        }
    }

    private static func validateIdentifiers(_ nodes: [ParameterNode], path: String, depth: Int) throws(UnitError) {
        guard depth <= maximumDepth else { throw .malformedTree("groups nest deeper than \(maximumDepth)") }
        var seen: Set<String> = []
        for node in nodes {
            let identifier = node.identifier
            guard identifier.utf8.count <= maximumIdentifierByteCount else {
                throw .malformedTree("an identifier has \(identifier.utf8.count) bytes; \(maximumIdentifierByteCount) are the most")
            }
            guard !identifier.isEmpty, !identifier.contains("."), !identifier.contains("=") else {
                throw .malformedTree("\"\(path)\(identifier)\" is not an identifier")
            }
            guard seen.insert(identifier).inserted else {
                throw .malformedTree("\"\(path)\(identifier)\" appears twice")
            }
            if case .group(let group) = node {
                try validateIdentifiers(group.children, path: "\(path)\(identifier).", depth: depth + 1)
            }
        }
    }
}
