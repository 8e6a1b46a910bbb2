// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the values behind names such as `Reverb.mix` and `bypass Reverb`. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

extension Session {
    /// The value for the text of a mapping: a path, `bypass NODE`, `scene NAME` or `panic`.
    func value(mapped text: String) throws(ControlError) -> HostValue {
        if text == HostValue.panicWord { return .panic }
        if let name = HostValue.sceneName(text) {
            try checkScene(name)
            return .scene(name)
        }
        guard let node = HostValue.bypassedNode(text) else { return try value(at: text) }
        _ = try unit(node)
        return .bypass(node: node)
    }

    /// The value at a path.
    ///
    /// Names of nodes may hold points: the longest name that fits counts.
    func value(at path: String) throws(ControlError) -> HostValue {
        if path == Morph.path { return .morph }
        let graph = graph
        var end = path.endIndex
        while let point = path[..<end].lastIndex(of: ".") {
            let node = String(path[..<point])
            if graph.has(node: node) { return try value(String(path[path.index(after: point)...]), of: node, in: graph) }
            end = point
        }
        throw missingNode(path, in: graph)
    }

    private func value(_ word: String, of node: String, in graph: BuiltGraph) throws(ControlError) -> HostValue {
        let unit = graph.unit(of: node)
        if unit?.parameterTree[keyPath: word] != nil { return .parameter(node: node, keyPath: word) }
        if let kind = GraphValue.Kind(rawValue: word), graph.value(of: GraphValue(node, kind)) != nil {
            return .node(GraphValue(node, kind))
        }
        guard let unit else { throw missing(word, of: node, in: graph) }
        let all = unit.parameterTree.parameters.map(\.keyPath)
        let near = NearestNames.among(all, to: word)
        let hint =
            near.isEmpty ? "It has \(all.prefix(12).joined(separator: ", "))." : "Did you mean \(near.joined(separator: " or "))?"
        throw ControlError(
            .notFound, "The unit \(ControlRequest.quoted(node)) has no parameter \(ControlRequest.quoted(word)). \(hint)")
    }

    private func missing(_ word: String, of node: String, in graph: BuiltGraph) -> ControlError {
        let kinds = GraphValue.Kind.allCases.filter { graph.value(of: GraphValue(node, $0)) != nil }
        return ControlError(
            .notFound,
            "The node \(ControlRequest.quoted(node)) has no \(ControlRequest.quoted(word)), but "
                + kinds.map(\.rawValue).joined(separator: " and ") + ".")
    }

    private func missingNode(_ path: String, in graph: BuiltGraph) -> ControlError {
        let name = path.split(separator: ".").first.map(String.init) ?? path
        let names = graph.document.nodes.map(\.id) + [GraphDocument.mainID]
        let near = NearestNames.among(names, to: name)
        let hint =
            near.isEmpty
            ? "Nodes are \(names.prefix(12).joined(separator: ", "))." : "Did you mean \(near.joined(separator: " or "))?"
        return ControlError(.notFound, "There is no node for \(ControlRequest.quoted(path)); a path is NODE.PARAMETER. \(hint)")
    }

    /// A unit and its parameter.
    func parameter(_ keyPath: String, of node: String) throws(ControlError) -> (unit: PluginUnit, parameter: Parameter) {
        let unit = try unit(node)
        guard let parameter = unit.parameterTree[keyPath: keyPath] else {
            throw ControlError(
                .notFound, "The unit \(ControlRequest.quoted(node)) has no parameter \(ControlRequest.quoted(keyPath)).")
        }
        return (unit, parameter)
    }

    /// The present number of a value.
    func present(_ value: HostValue) throws(ControlError) -> PresentValue {
        switch value {
        case .parameter(let node, let keyPath):
            let (unit, parameter) = try parameter(keyPath, of: node)
            return PresentValue(
                value: unit.value(of: keyPath) ?? parameter.defaultValue, isInteger: parameter.flags.contains(.integer))
        case .node(let name):
            guard let number = graph.value(of: name) else { throw gone(name) }
            return PresentValue(value: number)
        case .bypass(let node): return PresentValue(value: try unit(node).shouldBypassEffect ? 1 : 0, isInteger: true)
        case .morph: return PresentValue(value: try morphAmount())
        case .panic: return PresentValue(value: 0, isInteger: true)
        case .scene(let name): return PresentValue(value: state.withLock { $0.scene == name } ? 1 : 0, isInteger: true)
        }
    }

    /// The present value for the text of a mapping; nil if the graph that plays does not have it.
    func present(mapped text: String) -> PresentValue? {
        // A mapping stays when its node goes.
        guard let value = try? value(mapped: text) else { return nil }
        return try? present(value)
    }

    /// The error for a value of a removed node.
    func gone(_ name: GraphValue) -> ControlError {
        ControlError(
            .notFound, "The node \(ControlRequest.quoted(name.node)) has no \(ControlRequest.quoted(name.kind.rawValue)) any more.")
    }
}
