// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The saved part of a chain: --chain NAME, and its missing plug-ins. Main thread.

import Console
import PluginHosting

/// A saved chain on the command line.
struct SavedChainRequest {
    /// A name or a path.
    var name: String
}

extension ChainArguments {
    /// The files of the saved chain.
    var files: [String] { saved.flatMap { try? SavedChain.path(of: $0.name) }.map { [$0] } ?? [] }

    /// The arguments with the saved chain's units in front, and the registry with all plug-ins.
    ///
    /// Throws an error that names every missing plug-in, or prints the names of those left out.
    /// With `asking` it asks the user on the terminal for rights that the chain wants.
    func completed(asking: Bool = true) throws -> (arguments: ChainArguments, registry: ComponentRegistry) {
        guard saved != nil || !skipsMissing else {
            throw CommandError.usage("--skip-missing is about a saved chain; put it after --chain NAME.", command: nil)
        }
        guard let saved else { return (self, try InstalledPlugins.registry(wanting: effects.map(\.id))) }
        let chain = try SavedChain.load(saved.name)
        let registry = try InstalledPlugins.registry(wanting: chain.units.map(\.id) + effects.map(\.id))
        let missing = chain.missingUnits(from: registry)
        if !missing.isEmpty {
            guard skipsMissing else { throw Self.complaint(saved.name, missing) }
            Terminal.printError("The chain \"\(saved.name)\" plays without \(Self.list(missing, "and")): not installed.")
        }
        try chain.check(asking ? allowances.asking : allowances, in: registry, name: saved.name)
        let present = chain.units.filter { !missing.contains($0) }
        let kept = present.map { unit in
            EffectRequest(
                id: unit.id, saved: (unit, saved.name), isolation: unit.isolation, fallback: unit.fallback ?? .dry,
                isBypassed: unit.isBypassed ?? false)
        }
        return (replacing(effects: kept + effects), registry)
    }

    /// The state of the units in the host, each with its bypass.
    ///
    /// Units that were left out keep their positions and their state.
    func keptUnits(_ units: some Sequence<(HostedUnit, Bool)>, leftOut: [LeftOut]) throws -> [SavedUnit] {
        var units = try zip(units, effects).map { unit, effect in
            SavedUnit(
                keeping: unit.0, automation: try effect.curves(of: unit.0), fallback: effect.fallback, isBypassed: unit.1,
                isolation: isolation(of: effect))
        }
        for (place, absent) in zip(placesOfLeftOut(leftOut), leftOut.compactMap(\.saved)) { units.insert(absent, at: place) }
        return units
    }

    /// The places of the units that were left out and have a state; those of the command line have no place.
    func placesOfLeftOut(_ leftOut: [LeftOut]) -> [Int] {
        var unknownCount = 0
        return leftOut.compactMap { absent in
            guard absent.saved != nil else {
                unknownCount += 1
                return nil
            }
            return absent.index - unknownCount
        }
    }

    /// The state of the units and their automation, for a file.
    func savedUnits(_ units: [HostedUnit]) throws -> [SavedUnit] {
        try zip(units, effects).map { unit, effect in
            let curves = try effect.curves(of: unit)
            // A curve that playback would refuse is an error now.
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

    /// Each missing plug-in once, with its name in the chain.
    private static func list(_ units: [SavedUnit], _ conjunction: String) -> String {
        var names: [String] = []
        for name in units.map({ "\"\($0.id)\" (\"\($0.name)\")" }) where !names.contains(name) { names.append(name) }
        let last = names.removeLast()
        return names.isEmpty ? last : "\(names.joined(separator: ", ")) \(conjunction) \(last)"
    }
}
