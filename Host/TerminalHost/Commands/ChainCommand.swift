// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead chain: saves, lists, shows and deletes chains of effects. Main thread.

import Console
import PluginHosting

struct ChainCommand: Command {
    static let name = "chain"
    static let summary = "saves, lists, shows and deletes chains of effects"
    static let synopsis = "save NAME (-e ID …)… | list [--json] | show NAME [--json] | delete NAME"
    static let operands = [
        Operand("ACTION", .choice(Action.allCases.map(\.rawValue))), Operand("NAME", .chain, actions: ["save", "show", "delete"]),
    ]
    static var table: [OptionReader<Self>] {
        ChainArguments.table.lifted(to: \.chain, section: ChainArguments.section).map { $0.limited(to: "save") } + ownTable
    }

    private static var ownTable: [OptionReader<Self>] {
        [
            .flag("--json", "Print JSON") { $0.isJSON = true }.limited(to: "list", "show")
        ]
    }
    static let details = """
        `save` starts the effects and saves their state: ID, isolation, parameters, the rest of their state, and automation.
        Saving replaces an older chain of that name. `play`, `live`, `render`, `demo` and `measure` take a saved chain with
        `--chain NAME`. Effects that `-e` adds come after it. An effect that is not installed is an error, unless
        `--skip-missing` leaves it out.

        A chain is a text file, `NAME.json` in `$XDG_DATA_HOME/bulkhead/chains`. XDG_DATA_HOME is `~/.local/share` when it is
        not set. A NAME with a slash or with .json at its end is the path of such a file.
        """
    static let examples = [
        "save Voice -e Equalizer --set band1.gain=3 -e Reverb --preset \"Large Hall\"",
        "save \"Voice in a cave\" --chain Voice -e Delay --set mix=40", "show Voice", "save ./voice.json --chain Voice",
    ]

    private enum Action: String, CaseIterable { case save, list, show, delete }

    private var action = Action.list
    private var chainName: String?
    private var chain = ChainArguments()
    private var isJSON = false

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) { action = try arguments.action(Action.self) }

    mutating func take(_ operand: String) -> Bool {
        guard chainName == nil, action != .list else { return false }
        chainName = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard action == .list || chainName != nil else { throw arguments.usage("Say the name of the chain.") }
        guard action != .save || !chain.isEmpty else { throw arguments.usage("Say what the chain holds: -e ID.") }
    }

    func run() throws {
        let name = chainName ?? ""
        switch action {
        case .save: Terminal.print(try save(as: name))
        case .list: try list()
        case .show: try show(name)
        case .delete: try SavedChain.delete(name)
        }
    }

    private func save(as name: String) throws -> String {
        // A bad name is an error before the effects start.
        try SavedChain.checkName(name)
        let (arguments, registry) = try chain.completed()
        let units = try arguments.instantiate(from: registry)
        let path = try SavedChain(try arguments.savedUnits(units)).save(as: name)
        DocumentSeal.complaint.map(Terminal.printError)
        return path
    }

    private func show(_ name: String) throws {
        let chain = try SavedChain.load(name)
        guard !isJSON else { return Terminal.print(try Terminal.json(chain)) }
        let registry = try InstalledPlugins.registry(wanting: chain.units.map(\.id))
        Terminal.print(lines: try ChainPage(name, chain, registry).lines)
    }

    private func list() throws {
        var rows: [ChainRow] = []
        var defects: [HostingError] = []
        for name in SavedChain.names {
            do throws(HostingError) {
                rows.append(try ChainRow(name, try SavedChain.load(name)))
            } catch {
                defects.append(error)
            }
        }
        if isJSON {
            Terminal.print(try Terminal.json(rows))
        } else {
            Terminal.print(
                rows.isEmpty ? "You have saved no chains." : Table(headings: ["Chain", "Effects"]).text(rows.map(\.cells)))
        }
        defects.forEach { Terminal.printError($0) }
    }
}
