// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The chain of effects on a command line: -e ID and what belongs to it. Main thread.

import AudioUnits
import PluginHosting

/// One effect as the command line asks for it.
struct EffectRequest {
    var id: String
    /// The unit of a saved chain that this is, and the chain's name. It has its own settings and automation.
    var saved: (unit: SavedUnit, chain: String)?
    var preset: String?
    var settings: [(keyPath: String, value: String)] = []
    var automation: [(keyPath: String, points: [(seconds: Double, value: String)])] = []
    var isolation = IsolationPolicy.outOfProcess
    /// What is heard while it is away.
    var fallback = Fallback.dry
    /// Whether its input is passed through to begin with.
    var isBypassed = false
}

/// Collects a chain while the words of a command are read.
struct ChainArguments {
    private(set) var effects: [EffectRequest]
    /// The saved chain that comes first.
    private(set) var saved: SavedChainRequest?
    /// Where the effects live that say nothing of their own.
    private(set) var isolation = IsolationPolicy.outOfProcess
    private static let automationForm = "KEYPATH=SECONDS:VALUE,SECONDS:VALUE…"

    init(effects: [EffectRequest] = []) { self.effects = effects }

    /// The same with other effects.
    func replacing(effects: [EffectRequest]) -> ChainArguments {
        var arguments = ChainArguments(effects: effects)
        arguments.isolation = isolation
        return arguments
    }

    static let options = [
        Option("-e", "ID", "add an effect: its ID, or a name"),
        Option("--preset", "NAME", "a factory or user preset of the effect before it"),
        Option("--set", "KEYPATH=VALUE", "set a parameter or a text of the effect before it"),
        Option("--automate", "KEYPATH=T:V,T:V…", "move a parameter along lines: V at T seconds"),
        Option("--fallback", "dry|last|silence", "what is heard while the effect before it is away; dry without it"),
        Option("--bypass", nil, "pass on what goes into the effect before it"),
        Option(
            "--isolation", "POLICY",
            "individually, by-plugin, by-manufacturer, together or in-process; before the first -e for all effects"),
        Option("--in-process", nil, "the same as --isolation in-process: load the effect into the host, if it consents"),
        Option("--chain", "NAME", "begin with a chain that you saved, or with that in a file: a path or NAME.json"),
        Option("--skip-missing", nil, "leave out what the saved chain names and is not installed"),
    ]

    /// Nothing was asked for.
    var isEmpty: Bool { effects.isEmpty && saved == nil }

    /// Takes a word if it belongs to the chain.
    mutating func take(_ word: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        switch word {
        case "-e", "--effect": effects.append(EffectRequest(id: try arguments.value(of: word)))
        case "--preset":
            let name = try arguments.value(of: word)
            try change(word, arguments) { $0.preset = name }
        case "--set":
            let (keyPath, value) = try assignment(word, &arguments)
            try change(word, arguments) { $0.settings.append((keyPath, value)) }
        case "--automate":
            let (keyPath, text) = try assignment(word, &arguments, form: Self.automationForm)
            let points = try points(text, arguments)
            try change(word, arguments) { $0.automation.append((keyPath, points)) }
        case "--in-process": try change(word, arguments) { $0.isolation = .inProcess }
        case "--isolation":
            let policy = try arguments.isolationPolicy(of: word)
            if effects.isEmpty { isolation = policy } else { try change(word, arguments) { $0.isolation = policy } }
        case "--fallback":
            let text = try arguments.value(of: word)
            guard let fallback = Fallback(rawValue: text) else {
                throw arguments.usage("--fallback takes dry, last or silence, not \"\(text)\".")
            }
            try change(word, arguments) { $0.fallback = fallback }
        case "--bypass": try change(word, arguments) { $0.isBypassed = true }
        case "--chain":
            let name = try arguments.value(of: word)
            guard saved == nil else { throw arguments.usage("One --chain is all that a chain can begin with.") }
            saved = SavedChainRequest(name: name)
        case "--skip-missing":
            guard saved != nil else { throw arguments.usage("--skip-missing is about a saved chain; put it after --chain NAME.") }
            saved?.skipsMissing = true
        default: return false
        }
        return true
    }

    /// Begins with the chain that the command played last, as it was in the end.
    mutating func resume(_ command: String, _ arguments: Arguments) throws(CommandError) {
        guard saved == nil else { throw arguments.usage("--resume brings back a whole chain; leave --chain out.") }
        guard let path = SessionKeeper.path(of: command) else {
            throw .failed("There is nothing to resume: neither XDG_STATE_HOME nor HOME says where it would be. Set one of them.")
        }
        guard FilePath.isFile(path) else {
            throw .failed("There is nothing to resume: bulkhead \(command) has not played a chain yet, or \"\(path)\" is gone.")
        }
        saved = SavedChainRequest(name: path)
    }

    private mutating func change(
        _ word: String, _ arguments: Arguments, _ body: (inout EffectRequest) -> Void
    ) throws(CommandError) {
        guard !effects.isEmpty else { throw arguments.usage("\(word) belongs to an effect; put it after -e ID.") }
        body(&effects[effects.count - 1])
    }

    private func assignment(
        _ word: String, _ arguments: inout Arguments, form: String = "KEYPATH=VALUE"
    ) throws(CommandError) -> (String, String) {
        let text = try arguments.value(of: word)
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw arguments.usage("\(word) takes \(form), not \"\(text)\".")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private func points(_ text: String, _ arguments: Arguments) throws(CommandError) -> [(seconds: Double, value: String)] {
        var points: [(seconds: Double, value: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, let seconds = Double(pair[0]), AutomationCurve.permittedSeconds.contains(seconds) else {
                throw arguments.usage("--automate takes \(Self.automationForm), not \"\(text)\".")
            }
            points.append((seconds, pair[1]))
        }
        return points
    }
}

extension Arguments {
    /// The policy that follows an option.
    mutating func isolationPolicy(of option: String) throws(CommandError) -> IsolationPolicy {
        let text = try value(of: option)
        guard let policy = IsolationPolicy.choices.first(where: { $0.rawValue == text }) else {
            let names = IsolationPolicy.choices.map(\.rawValue)
            throw usage("\(option) takes \(names.dropLast().joined(separator: ", ")) or \(names.last ?? ""), not \"\(text)\".")
        }
        return policy
    }
}

extension ChainArguments {
    /// Where an effect is to live.
    func isolation(of effect: EffectRequest) -> IsolationPolicy { effect.isolation.completed(by: isolation) }

    /// Instantiates all effects at once, in the chain's order, but those that share a process one after the other.
    func instantiate(from registry: ComponentRegistry) throws -> [HostedUnit] {
        let components = try effects.map { try $0.component(in: registry) }
        let plan = IsolationPlan(zip(components, effects).map { ($0, isolation(of: $1)) })
        let effects = self.effects
        return try plan.instantiate { try effects[$0].instantiate(components[$0], at: plan.places[$0]) }
    }

    /// The units as links, with the course of their automated parameters at a sample rate.
    func links(_ units: [HostedUnit], sampleRate: Double) throws -> [ChainLink] {
        try zip(units, effects).map { unit, effect in
            ChainLink(
                unit, automation: try effect.lanes(of: unit, sampleRate: sampleRate), fallback: effect.fallback,
                isBypassed: effect.isBypassed)
        }
    }
}

extension EffectRequest {
    func component(in registry: ComponentRegistry) throws -> Component { try registry.component(named: id) }

    /// Makes the unit in a process of its own, with its preset and settings.
    func instantiate(from registry: ComponentRegistry) throws -> HostedUnit {
        let component = try component(in: registry)
        return try instantiate(component, at: IsolationPlan([(component, .individually)]).places[0])
    }

    /// Makes the unit, with its preset and settings.
    func instantiate(_ component: Component, at place: IsolationPlan.Place) throws -> HostedUnit {
        if let saved { return try saved.unit.instantiate(component, at: place, chain: saved.chain) }
        let unit = try HostedUnit(component, at: place)
        if let preset { try UserPresets.select(preset, of: unit) }
        try set(settings, of: unit)
        return unit
    }

    /// The course of its automated parameters.
    func curves(of unit: HostedUnit) throws -> [AutomationCurve] {
        if let saved { return saved.unit.automation ?? [] }
        return try automation.map { keyPath, points in
            let parameter = try unit.settableParameter(keyPath)
            return AutomationCurve(
                parameter: keyPath,
                points: try points.map { .init(seconds: $0.seconds, value: try Self.value($0.value, parameter, keyPath, unit)) })
        }
    }

    /// Sets parameters, and the texts that a unit has beside them, in their order; parameters that follow each other at once.
    private func set(_ settings: [(keyPath: String, value: String)], of unit: HostedUnit) throws {
        var changes: [(parameter: Parameter, value: Double)] = []
        for (keyPath, text) in settings {
            guard let property = unit.texts.first(where: { $0.identifier == keyPath }) else {
                let parameter = try unit.settableParameter(keyPath)
                changes.append((parameter, try Self.value(text, parameter, keyPath, unit)))
                continue
            }
            try unit.set(changes)
            changes = []
            // The plug-in's working folder is its own business; a path is meant from the user's.
            try unit.setText(keyPath, to: property.kind == .path && !text.isEmpty ? FilePath.absolute(text) : text)
        }
        try unit.set(changes)
    }

    /// The same, at a sample rate.
    func lanes(of unit: HostedUnit, sampleRate: Double) throws -> [AutomationLane] {
        try curves(of: unit).map { try $0.lane(of: unit, sampleRate: sampleRate) }
    }

    private static func value(
        _ text: String, _ parameter: Parameter, _ keyPath: String, _ unit: HostedUnit
    ) throws(CommandError) -> Double {
        if let value = parameter.value(from: text) { return value }
        let names = parameter.valueStrings
        let hint = names.isEmpty ? "a number" : "one of \(names.joined(separator: ", "))"
        throw .failed("Couldn't set \(keyPath) of \"\(unit.name)\": \"\(text)\" is not \(hint).")
    }
}
