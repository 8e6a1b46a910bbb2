// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Ports for the side chains and further outputs of units, and their names. Any thread.

import AudioGraph
import GraphDocuments
import JSON
import Rendering

/// Ports of the host's node in the desktop's graph, for one bus of a unit.
struct UnitPort: Sendable {
    let key: OpenUnitBus.Key
    /// The name of the ports, which their channels follow.
    let name: String
    /// The number of their bus at the engine's input or output.
    let number: Int
    /// True if a program is linked to them.
    var isLinked = false
    /// The unit of the last attempt to connect them; nil while they have no link.
    var unit: AudioNode?

    /// The ports in the form for clients.
    var json: JSONValue {
        .members([
            "name": .text(name), "node": .text(key.node), "bus": .count(key.bus), "channels": .count(key.channelCount),
            "isInput": .flag(key.isInput), "isLinked": .flag(isLinked),
        ])
    }

    /// A name for the ports of a bus that is not in `taken`: ASCII, without spaces, the unit first.
    static func name(ofUnit unit: String, bus: String, number: Int, unlike taken: Set<String>) -> String {
        let (first, last) = (plain(unit, 30) ?? "unit", plain(bus, 24) ?? "bus\(number)")
        // The node's own ports have these prefixes.
        let own = ["input_", "output_", "midi_"]
        let wishes = ["\(first)_\(last)"] + (2...taken.count + 3).map { "\(first)-\($0)_\(last)" }
        return wishes.first { wish in !taken.contains(wish) && !own.contains { wish.hasPrefix($0) } } ?? wishes[0]
    }

    /// The letters and digits of a text, with "-" for the characters between; nil if the text has none.
    private static func plain(_ text: String, _ limit: Int) -> String? {
        let words = text.unicodeScalars.split { !$0.isASCII || !($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
        let name = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-").prefix(limit)
        return name.isEmpty ? nil : String(name)
    }
}
