// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files for the further buses of a graph on a command line: NAME=FILE. Main thread.

import Rendering

enum BusFiles {
    /// The paths by the names of the buses; `side` is "input" or "output".
    static func paths(_ wishes: [String], of buses: [DriverBus], _ side: String, _ graph: String) throws -> [String: String] {
        var paths: [String: String] = [:]
        let names = buses.map(\.name)
        for wish in wishes {
            // A name may contain "=".
            guard let name = names.first(where: { wish.hasPrefix("\($0)=") && wish.utf8.count > $0.utf8.count + 1 }) else {
                let known = names.isEmpty ? "it has none" : "it has \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
                throw CommandError.failed(
                    "The graph \"\(graph)\" has no \(side) bus for --\(side)-bus \"\(wish)\": \(known). Write NAME=FILE.")
            }
            guard paths.updateValue(String(wish.dropFirst(name.count + 1)), forKey: name) == nil else {
                throw CommandError.failed("The \(side) bus \"\(name)\" has two files; say --\(side)-bus \(name)=FILE once.")
            }
        }
        return paths
    }
}
