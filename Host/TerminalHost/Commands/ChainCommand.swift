// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead chain: saves, lists, shows and deletes chains of effects. Main thread.

import Console
import PluginHosting

struct ChainCommand: Command {
    static let name = "chain"
    static let summary = "saves, lists, shows and deletes chains of effects"
    static let synopsis = "save NAME (-e ID …)… | list [--json] | show NAME [--json] | delete NAME"
    static let options =
        ChainArguments.options.map { Option($0.name, $0.value, "save: \($0.help)") } + [
            Option("--json", nil, "list, show: as JSON")
        ]
    static let details = """
        save starts the effects and keeps what they then are: each one's ID, where it runs, its parameters, what else
        it says belongs to its state, and its automation. play, live, render and demo begin with a saved chain where
        they read --chain NAME, and measure takes it; the effects that -e adds come after it. An effect of it that is
        not installed is an error, or is left out with --skip-missing. Saving replaces an older chain of that name.

        A chain is a text file, NAME.json in $XDG_DATA_HOME/bulkhead/chains, which is ~/.local/share where nothing else
        is set. A NAME with a slash or with .json at its end is the path of such a file anywhere.
        """
    static let examples = [
        "save Voice -e Equalizer --set band1.gain=3 -e Reverb --preset \"Large Hall\"",
        "save \"Voice in a cave\" --chain Voice -e Delay --set mix=40", "show Voice", "save ./voice.json --chain Voice",
    ]

    private enum Action: String, CaseIterable { case save, list, show, delete }

    private let action: Action
    private let chainName: String
    private var chain = ChainArguments()
    private var isJSON = false

    init(_ arguments: inout Arguments) throws {
        action = try arguments.action(Action.self)
        var names: [String] = []
        while let word = arguments.next() {
            if action == .save, try chain.take(word, &arguments) { continue }
            if word == "--json", action == .list || action == .show {
                isJSON = true
            } else {
                let isName = !word.hasPrefix("-") && names.isEmpty && action != .list
                guard isName else { throw arguments.unknown(word, among: Self.options(of: action)) }
                names.append(word)
            }
        }
        guard action == .list || names.count == 1 else { throw arguments.usage("Say the name of the chain.") }
        guard action != .save || !chain.isEmpty else { throw arguments.usage("Say what the chain holds: -e ID.") }
        chainName = names.first ?? ""
    }

    private static func options(of action: Action) -> [Option] {
        switch action {
        case .save: ChainArguments.options
        case .list, .show: options.suffix(1)
        case .delete: []
        }
    }

    func run() throws {
        switch action {
        case .save: Terminal.print(try save())
        case .list: try list()
        case .show: try show()
        case .delete: try SavedChain.delete(chainName)
        }
    }

    private func save() throws -> String {
        // Before the effects are started for nothing.
        try SavedChain.checkName(chainName)
        let (arguments, registry) = try chain.completed()
        let units = try arguments.instantiate(from: registry)
        return try SavedChain(try arguments.savedUnits(units)).save(as: chainName)
    }

    private func show() throws {
        let chain = try SavedChain.load(chainName)
        guard !isJSON else { return Terminal.print(try Terminal.json(chain)) }
        let registry = try InstalledPlugins.registry(wanting: chain.units.map(\.id))
        Terminal.print(try ChainPage(chainName, chain, registry).text)
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
