// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The encoding of a parameter tree. Control thread.

import AudioUnits
import Wire

private enum NodeKind: UInt8 {
    case parameter = 0
    case group = 1
}

extension ParameterTree {
    func write(to writer: inout PayloadWriter) { writer.write(children) { $0.write($1) } }

    /// Reads a tree and validates it.
    init(from reader: inout PayloadReader) throws(WireViolation) {
        var nodeCount = 0
        let tree = ParameterTree(try reader.readNodes(depth: 0, &nodeCount))
        do throws(UnitError) {
            try tree.validate()
        } catch {
            throw WireViolation(error.description)
        }
        self = tree
    }
}

extension PayloadWriter {
    fileprivate mutating func write(_ node: ParameterNode) {
        switch node {
        case .parameter(let parameter):
            write(NodeKind.parameter.rawValue)
            write(parameter)
        case .group(let group):
            write(NodeKind.group.rawValue)
            write(group.identifier)
            write(group.name)
            write(group.children) { $0.write($1) }
        }
    }

    private mutating func write(_ parameter: Parameter) {
        write(parameter.identifier)
        write(parameter.name)
        write(parameter.address)
        write(parameter.range.lowerBound)
        write(parameter.range.upperBound)
        write(parameter.defaultValue)
        write(parameter.unit.rawValue)
        let namesValues = parameter.valueStrings.isEmpty && !parameter.namedValues.isEmpty
        write(parameter.flags.subtracting(.namesValues).union(namesValues ? .namesValues : []).rawValue)
        let named = parameter.namedValues.map { "\($0.value)=\($0.name)" }
        write(namesValues ? named : parameter.valueStrings) { $0.write($1) }
    }
}

extension PayloadReader {
    /// Reads the nodes of one level; `nodeCount` counts the nodes of the whole tree.
    ///
    /// The size of a tree is limited while it is read. The key paths that are made next repeat each group's identifier for
    /// every parameter below it.
    fileprivate mutating func readNodes(depth: Int, _ nodeCount: inout Int) throws(WireViolation) -> [ParameterNode] {
        guard depth <= ParameterTree.maximumDepth else { throw WireViolation("a parameter tree that is too deep") }
        return try readItems(minimumByteCount: 9) { reader throws(WireViolation) in
            nodeCount += 1
            guard nodeCount <= ParameterTree.maximumNodeCount else {
                throw WireViolation("a parameter tree of more than \(ParameterTree.maximumNodeCount) nodes")
            }
            return try reader.readNode(depth: depth, &nodeCount)
        }
    }

    private mutating func readIdentifier() throws(WireViolation) -> String {
        try readIdentifier(maximumByteCount: ParameterTree.maximumIdentifierByteCount)
    }

    private mutating func readNode(depth: Int, _ nodeCount: inout Int) throws(WireViolation) -> ParameterNode {
        switch NodeKind(rawValue: try read(UInt8.self)) {
        case .parameter: return .parameter(try readParameter())
        case .group:
            let identifier = try readIdentifier()
            let name = try readString()
            return .group(ParameterGroup(identifier, name: name, try readNodes(depth: depth + 1, &nodeCount)))
        case nil: throw WireViolation("a node of the parameter tree that is neither parameter nor group")
        }
    }

    private mutating func readParameter() throws(WireViolation) -> Parameter {
        let identifier = try readIdentifier()
        let name = try readString()
        let address = try read(UInt64.self)
        let (lower, upper) = (try readDouble(), try readDouble())
        guard lower.isFinite, upper.isFinite, lower <= upper else {
            throw WireViolation("a parameter \"\(identifier)\" with a range of \(lower) to \(upper)")
        }
        let defaultValue = try readDouble()
        let unit = ParameterUnit(rawValue: try read(UInt32.self)) ?? .generic
        let flags = ParameterFlags(rawValue: try read(UInt32.self))
        let strings = try readItems(minimumByteCount: 4) { reader throws(WireViolation) in try reader.readString() }
        let namesValues = flags.contains(.namesValues)
        var parameter = Parameter(
            identifier, name: name, address: address, range: lower...upper, default: defaultValue, unit: unit,
            valueStrings: namesValues ? [] : strings, flags: flags.subtracting(.namesValues))
        if namesValues { parameter.namedValues = strings.compactMap(NamedValue.init(payload:)) }
        return parameter
    }
}

extension ParameterFlags {
    /// The strings do not name 0, 1, 2, …: each gives a value and its name.
    fileprivate static let namesValues = ParameterFlags(rawValue: 1 << 9)
}

extension NamedValue {
    /// Reads `NUMBER=NAME`; nil for any other text.
    fileprivate init?(payload text: String) {
        guard let sign = text.firstIndex(of: "="), let value = Double(text[..<sign]), value.isFinite else { return nil }
        self.init(value, String(text[text.index(after: sign)...]))
    }
}
