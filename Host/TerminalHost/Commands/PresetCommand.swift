// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead preset: saves, lists and deletes presets of one's own. Main thread.

import Console
import PluginHosting

struct PresetCommand: Command {
    static let name = "preset"
    static let summary = "saves, lists and deletes presets of your own"
    static let synopsis = "save|list|delete ID [NAME] [--preset NAME] [--set KEYPATH=VALUE]…"
    static let options = [
        Option("--preset", "NAME", "save: start from this preset, a factory preset or one of yours"),
        Option("--set", "KEYPATH=VALUE", "save: set a parameter or a text"),
    ]
    static let details = """
        A preset is the effect's whole state. It is saved in $XDG_DATA_HOME/bulkhead/presets, which is ~/.local/share
        where nothing else is set, and is used like a factory preset: -e ID --preset NAME. Saving replaces an older
        one of that name. list shows the factory presets too.
        """
    static let examples = [
        "save Reverb \"My Hall\" --preset \"Large Hall\" --set mix=45", "list Reverb", "delete Reverb \"My Hall\"",
    ]

    private enum Action: String, CaseIterable { case save, list, delete }

    private let action: Action
    private let preset: String
    private var effect: EffectRequest

    init(_ arguments: inout Arguments) throws {
        action = try arguments.action(Action.self)
        guard let id = arguments.next(), !id.hasPrefix("-") else {
            throw arguments.usage("Say which plug-in: an ID such as aufx:gain:blkh, or a name.")
        }
        var chain = ChainArguments(effects: [EffectRequest(id: id)])
        var names: [String] = []
        while let word = arguments.next() {
            if action == .save, word == "--preset" || word == "--set", try chain.take(word, &arguments) { continue }
            let isName = !word.hasPrefix("-") && names.isEmpty && action != .list
            guard isName else { throw arguments.unknown(word, among: action == .save ? Self.options : []) }
            names.append(word)
        }
        guard action == .list || names.count == 1 else { throw arguments.usage("Say the name of the preset.") }
        preset = names.first ?? ""
        effect = chain.effects[0]
    }

    func run() throws {
        let registry = try InstalledPlugins.registry(wanting: [effect.id])
        switch action {
        case .save: Terminal.print(try UserPresets.save(preset, of: try effect.instantiate(from: registry)))
        case .list: list(try effect.instantiate(from: registry))
        case .delete: try UserPresets.delete(preset, of: try registry.component(named: effect.id))
        }
    }

    private func list(_ unit: HostedUnit) {
        let factory = unit.factoryPresets.map { [$0.name, "factory"] }
        let rows = factory + UserPresets.names(for: unit.component).map { [$0, "yours"] }
        Terminal.print(rows.isEmpty ? "\(unit.name) has no presets." : Table(headings: ["Preset", ""]).text(rows))
    }
}
