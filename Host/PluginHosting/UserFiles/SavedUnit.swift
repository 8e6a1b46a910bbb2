// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One unit of a saved chain: its plug-in, its isolation, its state and its automation. Control thread.

import AudioUnits
import FoundationEssentials

/// A unit as a chain's file holds it.
package struct SavedUnit: Codable, Hashable, Sendable {
    /// The component's ID.
    package var id: String
    /// The unit's name when it was saved, for messages about a plug-in that is not installed.
    package var name: String
    /// The version that saved the state, three numbers; an older plug-in refuses it.
    package var version: String
    package var isolation: IsolationPolicy
    /// Every settable parameter, by key path.
    package var parameters: [String: Double]
    /// Every text that was set, such as the path of an impulse response, by identifier.
    ///
    /// Nil without any.
    package var texts: [String: String]?
    /// The plug-in's code when the unit was saved, to which the user gave the files in `texts` and the company of other units.
    ///
    /// Nil for a unit with neither.
    package var code: PluginCode?
    /// The unit's own data beside its parameters.
    ///
    /// In the file it is base64; nil if empty.
    package var custom: Data?
    /// The messages that set an instrument as MIDI has set it.
    ///
    /// Nil without any.
    package var midi: SavedMIDI?
    /// The automated parameters; nil without any.
    package var automation: [AutomationCurve]?
    /// The sound in place of a unit that does not render.
    ///
    /// Nil for the dry signal.
    package var fallback: Fallback?
    /// True if its input is passed through.
    ///
    /// Nil if it is not.
    package var isBypassed: Bool?

    /// Makes a document from a unit, and asks the unit for its state.
    package init(
        _ unit: HostedUnit, automation: [AutomationCurve] = [], fallback: Fallback = .dry, isBypassed: Bool = false,
        isolation: IsolationPolicy = .outOfProcess
    ) throws(HostingError) {
        self.init(unit, try unit.saveState(), automation, fallback, isBypassed, isolation)
    }

    /// Makes a document from a unit and its state as the host knows it.
    package init(
        keeping unit: HostedUnit, automation: [AutomationCurve], fallback: Fallback, isBypassed: Bool,
        isolation: IsolationPolicy = .outOfProcess
    ) {
        self.init(unit, unit.credible(unit.knownState, isToBeKept: true), automation, fallback, isBypassed, isolation)
    }

    private init(
        _ unit: HostedUnit, _ state: FullState, _ automation: [AutomationCurve], _ fallback: Fallback, _ isBypassed: Bool,
        _ policy: IsolationPolicy
    ) {
        id = unit.component.id
        name = unit.component.name
        isolation = unit.isolation == .inProcess ? .inProcess : policy
        self.automation = automation.isEmpty ? nil : automation
        self.fallback = fallback == .dry ? nil : fallback
        self.isBypassed = isBypassed ? true : nil
        version = state.version.description
        parameters = state.values
        texts = state.texts.isEmpty ? nil : state.texts
        code = nil
        custom = unit.shared(state.custom)
        midi = SavedMIDI(of: unit)
        keepCode(of: unit)
    }

    /// Keeps the code of the plug-in that plays, if a seal gives it more than any plug-in has.
    package mutating func keepCode(of unit: HostedUnit) { code = needsCode ? unit.knownCode : nil }

    /// The saved state, for the unit that the ID now belongs to.
    private func state(of description: UnitDescription) throws(HostingError) -> FullState {
        guard let version = UnitVersion(version) else {
            throw .refused(unit: name, act: "restore the state of", cause: .stateRefused("\"version\" is not three numbers"))
        }
        return FullState(
            component: description.component, classicIdentifier: description.classicIdentifier, version: version,
            values: parameters, texts: texts ?? [:], custom: custom.map(Array.init) ?? [])
    }

    /// Gives a unit the saved state: its parameters, texts and own data.
    package func restore(into unit: HostedUnit) throws(HostingError) { try unit.restoreState(try state(of: unit.description)) }

    /// The installed component of exactly this ID; nil without one.
    func component(in registry: ComponentRegistry) -> Component? {
        let component = try? registry.component(named: id)
        return component?.id == id ? component : nil
    }

    /// Starts the unit in the host or in a process of its own, as it was saved, and restores its state.
    ///
    /// `chain` is the chain's name, for messages.
    package func instantiate(from registry: ComponentRegistry, chain: String) throws(HostingError) -> HostedUnit {
        let component: Component
        do throws(HostingError) {
            component = try registry.component(named: id)
        } catch {
            throw error.whileUsing(chain: chain)
        }
        let alone: IsolationPolicy = isolation == .inProcess ? .inProcess : .individually
        return try instantiate(component, at: IsolationPlan([(component, alone)]).residences[0], chain: chain)
    }

    /// Starts the unit in a planned process, and restores its state.
    package func instantiate(
        _ component: Component, at residence: IsolationPlan.Residence, chain: String
    ) throws(HostingError) -> HostedUnit {
        do throws(HostingError) {
            return try instantiate(component, at: residence)
        } catch {
            throw error.whileUsing(chain: chain)
        }
    }

    /// Starts the unit in a planned process, and restores its state and that of its MIDI; errors name no document.
    package func instantiate(
        _ component: Component, at residence: IsolationPlan.Residence
    ) throws(HostingError) -> HostedUnit {
        let unit = try HostedUnit(component, at: residence)
        try unit.restoreState(try state(of: unit.description))
        midi?.begin(unit, except: Set((automation ?? []).map(\.parameter)))
        // A person wrote it: a parameter that the plug-in does not have is a typing error.
        if version == Self.anyVersion { for keyPath in parameters.keys.sorted() { _ = try unit.settableParameter(keyPath) } }
        return unit
    }
}

extension SavedUnit {
    /// The first wrong field, as a reason; nil if all are right.
    package var defect: String? {
        for (field, text) in [("id", id), ("name", name)] where !text.isPrintable { return "\"\(field)\" is not a name" }
        if UnitVersion(version) == nil { return "\"version\" is not three numbers" }
        if parameters.count > ParameterTree.maximumParameterCount {
            return "there are \(parameters.count) parameters, and \(ParameterTree.maximumParameterCount) are the most"
        }
        for (keyPath, value) in parameters {
            if !keyPath.isPrintable { return "\"parameters\" has a key path that is not one" }
            if !value.isFinite { return "\"\(keyPath)\" is \(value), which is not a number" }
        }
        for (identifier, text) in texts ?? [:] where !identifier.isPrintable || !(text.isEmpty || text.isPrintable) {
            return "\"texts\" holds characters that cannot be shown, or a text without a name"
        }
        return (automation ?? []).lazy.compactMap(\.defect).first
    }
}

extension AutomationCurve {
    /// The first wrong field, as a reason; nil if all are right.
    fileprivate var defect: String? {
        if !parameter.isPrintable { return "\"automation\" has a key path that is not one" }
        if points.isEmpty { return "the automation of \"\(parameter)\" has no points" }
        if let point = points.first(where: { !Self.permittedSeconds.contains($0.seconds) }) {
            return "the automation of \"\(parameter)\" has a point at \(point.seconds) seconds"
        }
        return points.contains { !$0.value.isFinite } ? "the automation of \"\(parameter)\" has a value that is not a number" : nil
    }
}

extension HostingError {
    /// The same error, about the unit's chain.
    fileprivate func whileUsing(chain: String) -> HostingError {
        let act = "use the chain \"\(chain)\" with"
        return switch self {
        case .fault(let unit, _, let fault): .fault(unit: unit, act: act, fault)
        case .refused(let unit, _, let cause, let hint): .refused(unit: unit, act: act, cause: cause, hint: hint)
        case .noConsent, .notTrusted, .inProcessUnavailable: .inChain(chain, self)
        default: self
        }
    }
}
