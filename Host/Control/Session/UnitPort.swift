// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ports for the side chains and further outputs of units, and what they are called. Any thread.

import AudioGraph
import GraphDocuments
import JSON
import Rendering

/// Ports of the host's node in the desktop's graph, for one bus of a unit.
struct UnitPort: Sendable {
    let key: OpenUnitBus.Key
    /// What the ports are called, followed by their channels.
    let name: String
    /// The bus of the engine's input or output that they are.
    let number: Int
    /// Whether something is linked to them.
    var isLinked = false
    /// The unit that they are connected to, or could not be connected to; nil while nothing is linked to them.
    var unit: AudioNode?

    /// What clients read of it.
    var json: JSONValue {
        .members([
            "name": .text(name), "node": .text(key.node), "bus": .count(key.bus), "channels": .count(key.channelCount),
            "isInput": .flag(key.isInput), "isLinked": .flag(isLinked),
        ])
    }

    /// A name for the ports of a bus that none of `taken` is: ASCII, without spaces, the unit first.
    static func name(ofUnit unit: String, bus: String, number: Int, unlike taken: Set<String>) -> String {
        let (first, last) = (plain(unit, 30) ?? "unit", plain(bus, 24) ?? "bus\(number)")
        // The node's own ports begin like this.
        let own = ["input_", "output_", "midi_"]
        let wishes = ["\(first)_\(last)"] + (2...taken.count + 3).map { "\(first)-\($0)_\(last)" }
        return wishes.first { wish in !taken.contains(wish) && !own.contains { wish.hasPrefix($0) } } ?? wishes[0]
    }

    /// The letters and digits of a text, with "-" for what is between them; nil if there are none.
    private static func plain(_ text: String, _ limit: Int) -> String? {
        let words = text.unicodeScalars.split { !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-").prefix(limit)
        return name.isEmpty ? nil : String(name)
    }
}
