// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The part of a chain that was saved: --chain NAME, and what happens when a plug-in of it is not there. Main thread.

import Console
import PluginHosting

/// A saved chain as the command line asks for it.
struct SavedChainRequest {
    /// A name or a path.
    var name: String
    /// Units whose plug-ins are not installed are left out.
    var skipsMissing = false
}

extension ChainArguments {
    /// Files that are read for the chain.
    var files: [String] { saved.flatMap { try? SavedChain.path(of: $0.name) }.map { [$0] } ?? [] }

    /// The same with the saved chain's units as effects in front of the others, and the registry that has them all.
    ///
    /// Throws naming every plug-in that is missing, or says on standard error which were left out.
    func completed() throws -> (arguments: ChainArguments, registry: ComponentRegistry) {
        guard let saved else { return (self, try InstalledPlugins.registry(wanting: effects.map(\.id))) }
        let chain = try SavedChain.load(saved.name)
        let registry = try InstalledPlugins.registry(wanting: chain.units.map(\.id) + effects.map(\.id))
        let missing = chain.missingUnits(from: registry)
        if !missing.isEmpty {
            guard saved.skipsMissing else { throw Self.complaint(saved.name, missing) }
            Terminal.printError("The chain \"\(saved.name)\" goes on without \(Self.list(missing, "and")): not installed.")
        }
        let present = chain.units.filter { !missing.contains($0) }
        let kept = present.map { unit in
            EffectRequest(
                id: unit.id, saved: (unit, saved.name), isolation: unit.isolation, fallback: unit.fallback ?? .dry,
                isBypassed: unit.isBypassed ?? false)
        }
        return (replacing(effects: kept + effects), registry)
    }

    /// What the host knows of the units now, without asking them. Those that were left out stay in their places, as they were.
    func keptUnits(_ members: [ChainMember], leftOut: [LeftOut]) throws -> [SavedUnit] {
        var units = try zip(members, effects).map { member, effect in
            SavedUnit(
                keeping: member.unit, automation: try effect.curves(of: member.unit), fallback: effect.fallback,
                isBypassed: member.isBypassed, isolation: isolation(of: effect))
        }
        var unknownCount = 0
        for absent in leftOut {
            guard let unit = absent.saved, units.count < SavedChain.maximumUnitCount else {
                unknownCount += 1
                continue
            }
            units.insert(unit, at: absent.index - unknownCount)
        }
        return units
    }

    /// What the units are now, with their automation, to be kept.
    func savedUnits(_ units: [HostedUnit]) throws -> [SavedUnit] {
        try zip(units, effects).map { unit, effect in
            let curves = try effect.curves(of: unit)
            // What would be refused when the chain is played is refused now.
            for curve in curves { try curve.check(against: unit) }
            return try SavedUnit(
                unit, automation: curves, fallback: effect.fallback, isBypassed: effect.isBypassed,
                isolation: isolation(of: effect))
        }
    }

    private static func complaint(_ name: String, _ missing: [SavedUnit]) -> CommandError {
        let advice = "Install what is missing, or leave it out with --skip-missing."
        return .failed("Couldn't use the chain \"\(name)\": there is no plug-in \(list(missing, "and no")). \(advice)")
    }

    /// Each plug-in once, with the name that it had.
    private static func list(_ units: [SavedUnit], _ conjunction: String) -> String {
        var names: [String] = []
        for name in units.map({ "\"\($0.id)\" (\"\($0.name)\")" }) where !names.contains(name) { names.append(name) }
        let last = names.removeLast()
        return names.isEmpty ? last : "\(names.joined(separator: ", ")) \(conjunction) \(last)"
    }
}
