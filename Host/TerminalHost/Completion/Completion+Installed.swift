// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names that completions take from this machine: plug-ins, presets, parameters, chains. Main thread.

import AudioUnits
import Console
import Glibc
import PluginHosting

extension Completion.Names {
    /// The names that are installed now.
    ///
    /// Unreadable ones are left out, because a completion cannot show errors.
    static var installed: Completion.Names {
        Completion.Names(
            plugins: plugins, chains: { SavedChain.names.map { Completion.Candidate(text: $0, help: "a saved chain") } },
            presets: presets, parameters: parameters)
    }

    private static func plugins() -> [Completion.Candidate] {
        guard let registry = try? InstalledPlugins.scan(ProgressLine("", on: -1)) else { return [] }
        let native = registry.components.filter { $0.format == .native }
        return native.map { Completion.Candidate(text: $0.name, help: $0.id) }
            + registry.components.map { Completion.Candidate(text: $0.id, help: $0.name) }
    }

    /// Starts the plug-in of a name, to read its names.
    private static func unit(_ name: String) -> HostedUnit? {
        guard let registry = try? InstalledPlugins.scan(wanting: [name], ProgressLine("", on: -1)) else { return nil }
        return (try? registry.component(named: name)).flatMap { try? HostedUnit($0) }
    }

    private static func presets(_ name: String) -> [Completion.Candidate] {
        guard let unit = unit(name) else { return [] }
        return unit.factoryPresets.map { Completion.Candidate(text: $0.name, help: "a factory preset") }
            + UserPresets.names(for: unit.component).map { Completion.Candidate(text: $0, help: "your preset") }
    }

    private static func parameters(_ name: String) -> [Completion.Candidate] {
        guard let unit = unit(name) else { return [] }
        let parameters = unit.parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }
        return parameters.map { Completion.Candidate(text: "\($0.keyPath)=", help: $0.parameter.name) }
            + unit.texts.map { Completion.Candidate(text: "\($0.identifier)=", help: $0.name) }
    }
}
