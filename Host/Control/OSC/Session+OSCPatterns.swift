// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The messages that one with a pattern stands for. The OSC thread.

import GraphDocuments
import OpenSoundControl
import PluginHosting

extension Session {
    /// The most values that one message may set.
    static let mostMatches = 256

    /// Returns a message for each value and bypass whose address a pattern matches, or the message itself without a pattern.
    func messages(meantBy message: OSCMessage) throws(OSCDefect) -> [OSCMessage] {
        guard OSCPattern.isPattern(message.address), message.address.utf8.count <= 1024 else { return [message] }
        let pattern = try OSCPattern(message.address)
        let matching = addresses.filter(pattern.matches)
        guard !matching.isEmpty else { throw OSCDefect("\(message.quotedAddress) matches no parameter, level or bypass.") }
        guard matching.count <= Self.mostMatches else {
            throw OSCDefect("\(message.quotedAddress) matches \(matching.count) values; \(Self.mostMatches) are the most.")
        }
        return matching.map { address in
            var one = message
            one.address = address
            return one
        }
    }

    /// The addresses of all parameters that can be set, of all levels and places, and of all bypasses.
    private var addresses: [String] {
        let graph = graph
        let parameters = graph.units.flatMap { named in
            named.unit.parameterTree.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }.map {
                OSCAddress.address(node: named.name, $0.keyPath)
            }
        }
        let names = graph.document.nodes.map(\.id) + [GraphDocument.mainID]
        let levels = names.flatMap { name in
            GraphValue.Kind.allCases.filter { graph.value(of: GraphValue(name, $0)) != nil }.map {
                OSCAddress.address(node: name, $0.rawValue)
            }
        }
        return parameters + levels + graph.units.map { "/bypass/\(OSCName.part($0.name))" }
    }
}
