// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The chain of effects on a command line: -e ID and its options. Main thread.

import AudioUnits
import Console
import LinuxSystem
import PluginHosting
import Rendering

/// One effect on the command line.
struct EffectRequest {
    var id: String
    /// The unit of a saved chain, and the chain's name; nil for another effect.
    ///
    /// It has its own settings and automation.
    var saved: (unit: SavedUnit, chain: String)?
    var preset: String?
    var settings: [(keyPath: String, value: String)] = []
    var automation: [(keyPath: String, points: [(seconds: Double, value: String)])] = []
    var isolation = IsolationPolicy.outOfProcess
    /// The replacement for its sound while its process is away.
    var fallback = Fallback.dry
    /// True if it starts bypassed.
    var isBypassed = false
    /// The MIDI for an instrument, and the first option about it.
    var midi = MIDIMapping()
    var midiOption: String?
}

/// A chain, collected from the arguments of a command.
struct ChainArguments {
    private(set) var effects: [EffectRequest]
    /// The saved chain that comes first.
    private(set) var saved: SavedChainRequest?
    /// The rights that the user allows for chains and presets from elsewhere.
    private(set) var allowances = Allowances()
    /// True if units without an installed plug-in are left out.
    private(set) var skipsMissing = false
    /// The isolation of effects without one of their own.
    private(set) var isolation = IsolationPolicy.outOfProcess
    private static let automationForm = "KEYPATH=SECONDS:VALUE,SECONDS:VALUE…"

    init(effects: [EffectRequest] = []) { self.effects = effects }

    /// The same arguments with other effects.
    func replacing(effects: [EffectRequest]) -> ChainArguments {
        var arguments = ChainArguments(effects: effects)
        arguments.isolation = isolation
        arguments.allowances = allowances
        return arguments
    }

    static let section = "Effects"

    static var table: [OptionReader<ChainArguments>] {
        [
            .text("-e, --effect", "ID", offering: .plugin, "Add an effect, by its ID or its name") {
                $0.effects.append(EffectRequest(id: $1))
            },
            .text("--preset", "NAME", offering: .preset, "Give the effect before it a factory preset or one of yours") {
                chain, name in
                try chain.change("--preset") { $0.preset = name }
            },
            .text("--set", "KEYPATH=VALUE", offering: .parameter, "Set a parameter or a text of the effect before it") {
                chain, text in
                let (keyPath, value) = try Self.assignment("--set", text)
                try chain.change("--set") { $0.settings.append((keyPath, value)) }
            },
            .text(
                "--automate", "KEYPATH=T:V,T:V…", offering: .parameter,
                "Move a parameter of the effect before it along lines: value V at T seconds"
            ) { chain, text in
                let (keyPath, curve) = try Self.assignment("--automate", text, form: Self.automationForm)
                let points = try Self.points(curve)
                try chain.change("--automate") { $0.automation.append((keyPath, points)) }
            },
            .choice(
                "--fallback", "SOUND", among: Fallback.allCases,
                "What is heard while the effect before it is away: its input (dry), its last block, or silence", default: "dry"
            ) { chain, fallback in
                try chain.change("--fallback") { $0.fallback = fallback }
            },
            .flag("--bypass", "Bypass the effect before it: its input is passed on") { chain in
                try chain.change("--bypass") { $0.isBypassed = true }
            },
            .choice(
                "--isolation", "POLICY", among: IsolationPolicy.choices,
                "Which effects share a process. Before the first -e it holds for all effects", default: "individually"
            ) { chain, policy in
                if chain.effects.isEmpty {
                    chain.isolation = policy
                } else {
                    try chain.change("--isolation") { $0.isolation = policy }
                }
            },
            .flag("--in-process", "Load the effect before it into the host's process, if the plug-in consents") { chain in
                try chain.change("--in-process") { $0.isolation = .inProcess }
            },
            .text("--chain", "NAME", offering: .chain, "Begin with a saved chain: its name, a path, or NAME.json") { chain, name in
                guard chain.saved == nil else { throw CommandError.usage("A chain can begin with one --chain only.", command: nil) }
                chain.saved = SavedChainRequest(name: name)
            },
            .flag("--skip-missing", "Leave out effects of the saved chain or session that are not installed") { chain in
                chain.skipsMissing = true
            },
            .text(
                "--allow", "RIGHT", offering: .file,
                "Allow a chain or preset from elsewhere what it asks for: the path of a file to read, in-process, or sharing"
            ) { chain, right in
                try chain.allow(right)
            },
        ]
    }

    /// Changes the MIDI for the last effect.
    mutating func changeMIDI(_ option: String, _ body: (inout MIDIMapping) -> Void) throws(CommandError) {
        try change(option) { effect in
            body(&effect.midi)
            effect.midiOption = effect.midiOption ?? option
        }
    }

    /// True if the command line has no chain.
    var isEmpty: Bool { effects.isEmpty && saved == nil }

    /// Throws if the command line names a chain beside the resumed one.
    func checkResuming(_ command: String) throws(CommandError) {
        guard saved == nil else {
            throw CommandError.usage("--resume brings back a whole session; leave --chain out.", command: command)
        }
        guard effects.isEmpty else {
            throw CommandError.usage(
                "--resume brings back a whole session; add effects while it plays, with: bulkhead ctl add ID", command: command)
        }
    }

    private mutating func allow(_ right: String) throws(CommandError) {
        switch right {
        case "in-process": allowances.inProcess = true
        case "sharing": allowances.sharing = true
        default:
            guard right.contains(where: { "/.".contains($0) }) || FilePath.isFile(right) else {
                throw CommandError.usage("--allow takes in-process, sharing or the path of a file, not \"\(right)\".", command: nil)
            }
            allowances.files.insert(ExactPath(FilePath.absolute(right)))
        }
    }

    private mutating func change(_ option: String, _ body: (inout EffectRequest) -> Void) throws(CommandError) {
        guard !effects.isEmpty else {
            throw CommandError.usage("\(option) belongs to an effect; put it after -e ID.", command: nil)
        }
        body(&effects[effects.count - 1])
    }

    private static func assignment(
        _ option: String, _ text: String, form: String = "KEYPATH=VALUE"
    ) throws(CommandError) -> (String, String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw CommandError.usage("\(option) takes \(form), not \"\(text)\".", command: nil)
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    private static func points(_ text: String) throws(CommandError) -> [(seconds: Double, value: String)] {
        var points: [(seconds: Double, value: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard pair.count == 2, let seconds = Double(pair[0]), AutomationCurve.permittedSeconds.contains(seconds) else {
                throw CommandError.usage("--automate takes \(automationForm), not \"\(text)\".", command: nil)
            }
            points.append((seconds, pair[1]))
        }
        return points
    }
}

extension ChainArguments {
    /// The isolation of an effect.
    func isolation(of effect: EffectRequest) -> IsolationPolicy { effect.isolation.completed(by: isolation) }

    /// Instantiates all effects at once, in the chain's order.
    ///
    /// Units of one process start one after the other. Settings are checked for `sampleRate`, in hertz, if it is known.
    func instantiate(from registry: ComponentRegistry, sampleRate: Double? = nil) throws -> [HostedUnit] {
        let components = try effects.map { try $0.component(in: registry) }
        let plan = IsolationPlan(zip(components, effects).map { ($0, isolation(of: $1)) })
        let effects = self.effects
        let allowances = allowances.asking
        for component in components { Terminal.printLapsedRights(component) }
        return try plan.instantiate {
            try effects[$0].instantiate(components[$0], at: plan.residences[$0], allowing: allowances, sampleRate: sampleRate)
        }
    }
}

extension EffectRequest {
    func component(in registry: ComponentRegistry) throws -> Component { try registry.component(named: id) }

    /// Instantiates the unit in its own process, with its preset and settings.
    func instantiate(from registry: ComponentRegistry, allowing allowances: Allowances) throws -> HostedUnit {
        let component = try component(in: registry)
        let residence = IsolationPlan([(component, .individually)]).residences[0]
        return try instantiate(component, at: residence, allowing: allowances.asking)
    }

    /// Instantiates the unit, with its preset and settings.
    func instantiate(
        _ component: Component, at residence: IsolationPlan.Residence, allowing allowances: Allowances, sampleRate: Double? = nil
    ) throws -> HostedUnit {
        if let saved { return try saved.unit.instantiate(component, at: residence, chain: saved.chain) }
        let unit = try HostedUnit(component, at: residence)
        if let sampleRate { unit.expect(sampleRate: sampleRate) }
        if let preset { try UserPresets.select(preset, of: unit, allowing: allowances) }
        try set(settings, of: unit)
        return unit
    }

    /// The curves of its automated parameters.
    func curves(of unit: HostedUnit) throws -> [AutomationCurve] {
        if let saved { return saved.unit.automation ?? [] }
        return try automation.map { keyPath, points in
            let parameter = try unit.settableParameter(keyPath)
            return AutomationCurve(
                parameter: keyPath,
                points: try points.map { .init(seconds: $0.seconds, value: try Self.value($0.value, parameter, keyPath, unit)) })
        }
    }

    /// Sets parameters and texts in their order.
    ///
    /// Adjacent parameters are set in one request.
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
            // A relative path starts at the user's working folder, not at the plug-in's.
            try unit.setText(keyPath, to: property.kind == .path && !text.isEmpty ? FilePath.absolute(text) : text)
        }
        try unit.set(changes)
    }

    private static func value(
        _ text: String, _ parameter: Parameter, _ keyPath: String, _ unit: HostedUnit
    ) throws(CommandError) -> Double {
        if let value = parameter.value(from: text) { return value }
        let named = parameter.namedValues.map(\.name)
        let number = named.isEmpty ? "a number" : "a number or one of \(named.joined(separator: ", "))"
        let names = parameter.valueStrings
        let hint = names.isEmpty ? number : "one of \(names.joined(separator: ", "))"
        throw .failed("Couldn't set \(keyPath) of \"\(unit.name)\": \"\(text)\" is not \(hint).")
    }
}
