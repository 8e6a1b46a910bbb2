// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead preset: saves, lists and deletes the user's presets. Main thread.

import Console
import PluginHosting

struct PresetCommand: Command {
    static let name = "preset"
    static let summary = "saves, lists and deletes presets of your own"
    static let synopsis = "save|list|delete ID [NAME] [--preset NAME] [--set KEYPATH=VALUE]…"
    static let operands = [
        Operand("ACTION", .choice(Action.allCases.map(\.rawValue))), Operand("ID", .plugin),
        Operand("NAME", .preset, actions: ["save", "delete"]),
    ]
    static var table: [OptionReader<Self>] {
        ChainArguments.table.filter { ["--preset", "--set", "--allow"].contains($0.option.name) }.map {
            $0.lifted(to: \.chain, section: Option.ownSection).limited(to: "save")
        }
    }
    static let details = """
        A preset is the whole state of an effect. It is saved in `$XDG_DATA_HOME/bulkhead/presets`. XDG_DATA_HOME is
        `~/.local/share` when it is not set. Use it like a factory preset: `-e ID --preset NAME`. Saving replaces an older
        preset of that name. `list` shows the factory presets too.
        """
    static let examples = [
        "save Reverb \"My Hall\" --preset \"Large Hall\" --set mix=45", "list Reverb", "delete Reverb \"My Hall\"",
    ]

    private enum Action: String, CaseIterable { case save, list, delete }

    private var action = Action.list
    private var preset: String?
    /// The chain of one effect.
    private var chain = ChainArguments()

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) {
        action = try arguments.action(Action.self)
        guard let id = arguments.next(), !id.hasPrefix("-") else {
            throw arguments.usage("Say which plug-in: an ID such as aufx:gain:blkh, or a name.")
        }
        chain = ChainArguments(effects: [EffectRequest(id: id)])
    }

    mutating func take(_ operand: String) -> Bool {
        guard preset == nil, action != .list else { return false }
        preset = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard action == .list || preset != nil else { throw arguments.usage("Say the name of the preset.") }
    }

    func run() throws {
        let (effect, preset) = (chain.effects[0], preset ?? "")
        let registry = try InstalledPlugins.registry(wanting: [effect.id])
        switch action {
        case .save:
            Terminal.print(try UserPresets.save(preset, of: try effect.instantiate(from: registry, allowing: chain.allowances)))
            DocumentSeal.complaint.map(Terminal.printError)
        case .list: list(try effect.instantiate(from: registry, allowing: chain.allowances))
        case .delete: try UserPresets.delete(preset, of: try registry.component(named: effect.id))
        }
    }

    private func list(_ unit: HostedUnit) {
        unit.presetDefects.forEach(Terminal.printError)
        let factory = unit.factoryPresets.map { [$0.name, "factory"] }
        let rows = factory + UserPresets.names(for: unit.component).map { [$0, "yours"] }
        Terminal.print(rows.isEmpty ? "\(unit.name) has no presets." : Table(headings: ["Preset", ""]).text(rows))
    }
}
