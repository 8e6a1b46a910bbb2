// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Saved chains as text: one chain as a page, many as rows of a table. Any thread.

import Console
import PluginHosting

/// One chain, unit by unit.
struct ChainPage {
    let lines: [StyledText]

    init(_ name: String, _ chain: SavedChain, _ registry: ComponentRegistry) throws(HostingError) {
        let missing = chain.missingUnits(from: registry)
        var lines = ["\(name), \(chain.units.count) \(chain.units.count == 1 ? "effect" : "effects")"]
        lines.append("File  \(try SavedChain.path(of: name))")
        lines += try chain.wishes(in: registry, name: name).map { "Asks  \($0)" }
        for (index, unit) in chain.units.enumerated() {
            lines += ["", "\(index + 1)  \(Self.title(unit, isMissing: missing.contains(unit)))"]
            lines += Self.lines(of: unit).map { "   \($0)" }
        }
        self.lines = lines.map { StyledText($0) }
    }

    private static func title(_ unit: SavedUnit, isMissing: Bool) -> String {
        let place =
            switch unit.isolation {
            case .outOfProcess, .individually: "in its own process"
            case .byPlugin: "in a process with others of the same plug-in"
            case .byManufacturer: "in a process with others of the same manufacturer"
            case .together: "in a process together with others"
            case .inProcess: "in the host's process"
            }
        return "\(unit.name) \(unit.version), \(unit.id), \(place)\(isMissing ? "; not installed" : "")"
    }

    private static func lines(of unit: SavedUnit) -> [String] {
        let rows = unit.parameters.sorted { $0.key < $1.key }.map { [$0.key, Decimal.shortest($0.value)] }
        var lines = rows.isEmpty ? [] : Table(headings: ["", ""]).lines(rows).map(\.plain)
        lines += (unit.texts ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)  \"\($0.value)\"" }
        for curve in unit.automation ?? [] {
            let points = curve.points.map { "\(Decimal.shortest($0.value)) at \(Decimal.shortest($0.seconds)) s" }
            lines.append("automation of \(curve.parameter): \(points.joined(separator: ", "))")
        }
        if let fallback = unit.fallback { lines.append("fallback: \(fallback.rawValue)") }
        if unit.isBypassed == true { lines.append("bypassed") }
        if let custom = unit.custom { lines.append("\(custom.count) bytes of other state") }
        return lines
    }
}

/// One chain in a list.
struct ChainRow: Encodable {
    struct Unit: Encodable {
        let id, name, isolation: String
    }

    let name, path: String
    let units: [Unit]

    init(_ name: String, _ chain: SavedChain) throws(HostingError) {
        self.name = name
        path = try SavedChain.path(of: name)
        units = chain.units.map { Unit(id: $0.id, name: $0.name, isolation: $0.isolation.rawValue) }
    }

    var cells: [String] { [name, units.map(\.name).joined(separator: ", ")] }
}
