// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which effects are measured: copies of one, or those of a saved chain. Control thread.

import PluginHosting

/// Makes the effects of a measured chain, in process or out of process.
enum MeasuredEffects: Sendable {
    case copies(of: Component)
    case chain([SavedUnit], name: String, ComponentRegistry)

    init(_ settings: MeasureSettings) throws {
        guard let name = settings.chain.saved?.name else {
            self = .copies(of: try InstalledPlugins.registry(wanting: [settings.id]).component(named: settings.id))
            return
        }
        let (arguments, registry) = try settings.chain.completed()
        let units = arguments.effects.compactMap { $0.saved?.unit }
        if let unit = units.first(where: { (try? registry.component(named: $0.id))?.consentsToInProcess == false }) {
            let reason = "\"\(unit.name)\" does not consent to running in process; save one without it"
            throw CommandError.failed("Couldn't measure the chain \"\(name)\": \(reason).")
        }
        guard !units.isEmpty else { throw CommandError.failed("Couldn't measure the chain \"\(name)\": nothing of it is left.") }
        self = .chain(units, name: name, registry)
    }

    /// How many effects there are; those of a chain are what they are.
    func counts(_ settings: MeasureSettings) -> [Int] {
        switch self {
        case .copies: settings.measuredEffectCounts
        case .chain(let units, _, _): [units.count]
        }
    }

    /// The plug-in of the effect at an index of the chain.
    func component(at index: Int) throws(HostingError) -> Component {
        switch self {
        case .copies(let component): component
        case .chain(let units, _, let registry): try registry.component(named: units[index].id)
        }
    }

    /// Where the effect at an index is to live: out of process as its chain has it, and otherwise as `policy` says.
    func isolation(at index: Int, _ policy: IsolationPolicy) -> IsolationPolicy {
        guard case .chain(let units, _, _) = self, policy != .inProcess, units[index].isolation != .inProcess else { return policy }
        return units[index].isolation.completed(by: policy)
    }

    /// Instantiates that effect.
    func unit(at index: Int, _ component: Component, _ place: IsolationPlan.Place) throws(HostingError) -> HostedUnit {
        switch self {
        case .copies: try HostedUnit(component, at: place)
        case .chain(let units, let name, _): try units[index].instantiate(component, at: place, chain: name)
        }
    }
}
