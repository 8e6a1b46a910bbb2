// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The effects to measure: copies of one, or those of a saved chain. Control thread.

import PluginHosting

/// Makes the effects of a measured chain, in process or out of process.
package enum MeasuredEffects: Sendable {
    case copies(of: Component)
    case chain([SavedUnit], name: String, ComponentRegistry)

    /// Copies of a plug-in; throws if it cannot be compared with itself in process.
    package static func checked(copiesOf component: Component) throws(MeasurementError) -> MeasuredEffects {
        try check(component)
        return .copies(of: component)
    }

    private static func check(_ component: Component) throws(MeasurementError) {
        guard component.consentsToInProcess else { throw .noConsent(unit: component.name) }
    }

    /// The units of a saved chain; throws if one cannot be compared with itself in process, or if there is none.
    package static func checked(
        _ units: [SavedUnit], name: String, _ registry: ComponentRegistry
    ) throws(MeasurementError) -> MeasuredEffects {
        for unit in units { try (try? registry.component(named: unit.id)).map(check) }
        guard !units.isEmpty else { throw .emptyChain(name) }
        return .chain(units, name: name, registry)
    }

    /// The measured effect counts.
    ///
    /// A saved chain has only one.
    func counts(_ settings: MeasureSettings) -> [Int] {
        switch self {
        case .copies: settings.measuredEffectCounts
        case .chain(let units, _, _): [units.count]
        }
    }

    /// The first plug-in that the user has not trusted, so that nothing is measured in process.
    var untrusted: Component? {
        switch self {
        case .copies(let component): component.isTrusted ? nil : component
        case .chain(let units, _, let registry):
            units.lazy.compactMap { try? registry.component(named: $0.id) }.first { !$0.isTrusted }
        }
    }

    /// The plug-in of the effect at an index of the chain.
    func component(at index: Int) throws(HostingError) -> Component {
        switch self {
        case .copies(let component): component
        case .chain(let units, _, let registry): try registry.component(named: units[index].id)
        }
    }

    /// The isolation of the effect at an index: its chain's if it is out of process, and otherwise that of `policy`.
    func isolation(at index: Int, _ policy: IsolationPolicy) -> IsolationPolicy {
        guard case .chain(let units, _, _) = self, policy != .inProcess, units[index].isolation != .inProcess else { return policy }
        return units[index].isolation.completed(by: policy)
    }

    /// Instantiates that effect.
    func unit(at index: Int, _ component: Component, _ residence: IsolationPlan.Residence) throws(HostingError) -> HostedUnit {
        switch self {
        case .copies: try HostedUnit(component, at: residence)
        case .chain(let units, let name, _): try units[index].instantiate(component, at: residence, chain: name)
        }
    }
}
