// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moves the settings from one scene to another by a value, which a pedal can change. Any thread.

import AudioUnits
import Glibc
import GraphDocuments
import JSON
import PluginHosting

/// Two scenes of one shape, and the position of the settings between them.
struct Morph: Sendable {
    let from, to: String
    let changes: [Change]
    var amount = 0.0

    /// A parameter that both scenes have.
    struct Change: Sendable {
        let node: String
        let unit: PluginUnit
        let keyPath: String
        let parameter: Parameter
        let start, end: Double
    }

    /// The path by which it is set.
    static let path = "morph.amount"
}

extension Morph.Change {
    /// The value at this position: on a logarithmic scale if the parameter has one; steps change in the middle.
    func value(at amount: Double) -> Double {
        if amount <= 0 { return start }
        if amount >= 1 { return end }
        guard !parameter.flags.contains(.integer), parameter.valueStrings.isEmpty else { return amount < 0.5 ? start : end }
        guard parameter.flags.contains(.logarithmic), start > 0, end > 0 else { return start + (end - start) * amount }
        return start * Glibc.pow(end / start, amount)
    }
}

extension Session {
    /// Chooses two scenes to move between; the graph must have the nodes of both.
    func morph(from: String, to: String) throws(ControlError) -> JSONValue {
        let scenes = state.withLock { $0.scenes }
        func units(_ name: String) throws(ControlError) -> [String: SavedUnit] {
            guard let scene = scenes.first(where: { $0.name == name }) else {
                throw ControlError(.notFound, "There is no scene \(ControlRequest.quoted(name)).")
            }
            return Dictionary(zip(scene.graph.unitNodes, scene.graph.savedUnits)) { first, _ in first }
        }
        let (first, second) = (try units(from), try units(to))
        let playing = graph.units
        for name in [(from, first), (to, second)] {
            let isSame = name.1.count == playing.count && playing.allSatisfy { name.1[$0.name]?.id == $0.unit.component.id }
            guard isSame else {
                throw ControlError(
                    .refused,
                    "The scene \(ControlRequest.quoted(name.0)) has other units than the graph that plays. "
                        + "Go to a scene of that shape first.")
            }
        }
        let changes = playing.flatMap { node, unit in
            unit.parameterTree.parameters.compactMap { keyPath, parameter -> Morph.Change? in
                guard let start = first[node]?.parameters[keyPath], let end = second[node]?.parameters[keyPath], start != end,
                    parameter.flags.isDisjoint(with: [.readOnly, .meter])
                else { return nil }
                return Morph.Change(
                    node: node, unit: unit, keyPath: keyPath, parameter: parameter, start: start, end: end)
            }
        }
        state.withLock { $0.morph = Morph(from: from, to: to, changes: changes) }
        return .object(["path": .text(Morph.path), "parameters": .count(changes.count)])
    }

    /// The position of the settings between the two scenes, from 0 to 1.
    func morphAmount() throws(ControlError) -> Double {
        guard let morph = state.withLock({ $0.morph }) else { throw Self.noMorph }
        return morph.amount
    }

    /// Gives the units the settings at a position between the two scenes, and returns the settings before.
    func setMorph(_ amount: Double) throws(ControlError) -> [ValueChange] {
        let morph = state.withLock { state in
            state.morph?.amount = amount
            return state.morph
        }
        guard let morph else { throw Self.noMorph }
        var former: [ValueChange] = []
        for (_, changes) in Dictionary(grouping: morph.changes, by: { ObjectIdentifier($0.unit) }) {
            let before = changes.map { change in
                ValueChange(
                    value: .parameter(node: change.node, keyPath: change.keyPath),
                    number: change.unit.value(of: change.keyPath) ?? change.parameter.defaultValue)
            }
            do throws(HostingError) {
                try changes[0].unit.hosted.set(changes.map { ($0.parameter, $0.value(at: amount)) })
            } catch {
                throw ControlError(error)
            }
            former += before
        }
        return former
    }

    private static var noMorph: ControlError {
        ControlError(.notFound, "No two scenes are chosen to go between; choose them with the method \"morph\".")
    }
}
