// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the side chains and further outputs of units that the document leaves unconnected. Control thread.

import AudioGraph

/// A further bus of a unit that no connection of the document uses.
package struct OpenUnitBus: Sendable {
    /// The identity of an open bus, which the next scene keeps.
    package struct Key: Hashable, Sendable {
        /// The unit's node in the document.
        package let node: String
        package let bus: Int
        /// True for a side chain, false for an output.
        package let isInput: Bool
        package let channelCount: Int
    }

    package let key: Key
    /// The plug-in's name for the bus.
    package let name: String
    /// The unit's node in the engine.
    package let unit: AudioNode
}

extension BuiltGraph {
    /// The open buses of all units, in the order of the document.
    package var openUnitBuses: [OpenUnitBus] {
        let content = content
        let inputs = Set(content.wires.map { GraphContent.Place(node: $0.destination, bus: $0.destinationBus) })
        let outputs = Set(content.wires.map { GraphContent.Place(node: $0.source, bus: $0.sourceBus) })
        return content.units.sorted { $0.key < $1.key }.flatMap { place, unit -> [OpenUnitBus] in
            // A unit that was left out is a mixer here.
            guard let node = content.places[place] as? AudioUnit else { return [] }
            let id = content.document.nodes[place].id
            let sides = unit.unitDescription.inputs.enumerated().dropFirst().compactMap { bus, described -> OpenUnitBus? in
                guard !inputs.contains(GraphContent.Place(node: place, bus: bus)) else { return nil }
                let count = described.defaultFormat.channelCount
                return OpenUnitBus(
                    key: .init(node: id, bus: bus, isInput: true, channelCount: count), name: described.name, unit: node)
            }
            let wets = unit.unitDescription.outputs.enumerated().dropFirst().compactMap { bus, described -> OpenUnitBus? in
                guard !outputs.contains(GraphContent.Place(node: place, bus: bus)) else { return nil }
                let count = node.outputBusFormat(bus)?.channelCount ?? described.defaultFormat.channelCount
                return OpenUnitBus(
                    key: .init(node: id, bus: bus, isInput: false, channelCount: count), name: described.name, unit: node)
            }
            return sides + wets
        }
    }
}

extension GraphContent {
    /// A bus of the node at a place.
    fileprivate struct Place: Hashable {
        let node, bus: Int
    }
}
