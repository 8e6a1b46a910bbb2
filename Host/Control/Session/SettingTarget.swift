// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a path such as `Reverb.mix` means in a session: a parameter of a unit, or the level of a node. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

/// What can be set by a path.
enum SettingTarget {
    case parameter(node: String, PluginUnit, keyPath: String, Parameter)
    case level(node: String, NodeLevel)
    /// How far the settings are between two scenes.
    case morph
}

/// The levels that a node has in a document.
enum NodeLevel: String, CaseIterable {
    case volume, pan

    /// The values that it takes.
    var range: ClosedRange<Double> { self == .volume ? 0...1000 : -1...1 }

    /// The value in a document.
    func value(of name: String, in document: GraphDocument) -> Double {
        if name == GraphDocument.mainID { return document.mainVolume ?? 1 }
        guard let node = document.nodes.first(where: { $0.id == name }) else { return self == .volume ? 1 : 0 }
        switch (self, node.kind) {
        case (.volume, .mixer(let volume)): return volume
        case (.volume, .environment(let environment)): return environment.outputVolume
        case (.volume, _): return node.volume ?? 1
        case (.pan, _): return node.pan ?? 0
        }
    }

    /// Gives the node of a document another value.
    func set(_ value: Double, of name: String, in document: inout GraphDocument) {
        if name == GraphDocument.mainID { document.mainVolume = value }
        guard let place = document.nodes.firstIndex(where: { $0.id == name }) else { return }
        switch (self, document.nodes[place].kind) {
        case (.volume, .mixer): document.nodes[place].kind = .mixer(outputVolume: value)
        case (.volume, .environment(var environment)):
            environment.outputVolume = value
            document.nodes[place].kind = .environment(environment)
        case (.volume, _): document.nodes[place].volume = value
        case (.pan, _): document.nodes[place].pan = value
        }
    }
}

extension Session {
    /// What a path means.
    ///
    /// Names of nodes may hold points: the longest name that fits counts.
    func target(_ path: String) throws(ControlError) -> SettingTarget {
        if path == Morph.path { return .morph }
        let graph = graph
        let names = graph.document.nodes.map(\.id) + [GraphDocument.mainID]
        guard let node = names.filter({ path.hasPrefix("\($0).") }).max(by: { $0.utf8.count < $1.utf8.count }) else {
            throw missingNode(path, names)
        }
        let rest = String(path.dropFirst(node.count + 1))
        guard let unit = graph.units.first(where: { $0.name == node })?.unit else {
            return .level(node: node, try level(rest, node))
        }
        if let parameter = unit.parameterTree[keyPath: rest] { return .parameter(node: node, unit, keyPath: rest, parameter) }
        if let level = NodeLevel(rawValue: rest) { return .level(node: node, level) }
        let all = unit.parameterTree.parameters.map(\.keyPath)
        let near = NearestNames.among(all, to: rest)
        let hint =
            near.isEmpty ? "It has \(all.prefix(12).joined(separator: ", "))." : "Did you mean \(near.joined(separator: " or "))?"
        throw ControlError(
            .notFound, "The unit \(ControlRequest.quoted(node)) has no parameter \(ControlRequest.quoted(rest)). \(hint)")
    }

    private func level(_ word: String, _ node: String) throws(ControlError) -> NodeLevel {
        let levels = NodeLevel.allCases.filter { $0 == .volume || node != GraphDocument.mainID }
        if let level = levels.first(where: { $0.rawValue == word }) { return level }
        throw ControlError(
            .notFound,
            "The node \(ControlRequest.quoted(node)) has no \(ControlRequest.quoted(word)), but "
                + levels.map(\.rawValue).joined(separator: " and ") + ".")
    }

    private func missingNode(_ path: String, _ names: [String]) -> ControlError {
        let name = path.split(separator: ".").first.map(String.init) ?? path
        let near = NearestNames.among(names, to: name)
        let hint =
            near.isEmpty
            ? "Nodes are \(names.prefix(12).joined(separator: ", "))." : "Did you mean \(near.joined(separator: " or "))?"
        return ControlError(.notFound, "There is no node for \(ControlRequest.quoted(path)); a path is NODE.PARAMETER. \(hint)")
    }
}
