// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments of `measure` for its settings. Main thread.

import Measuring
import PluginHosting

/// The settings of a measurement, and the effect or chain to measure.
struct MeasureArguments {
    private(set) var settings = MeasureSettings()
    private var id = MeasureSettings.defaultID
    /// The saved chain to measure instead of copies of one effect.
    private(set) var chain = ChainArguments()
    /// The options for copies of one effect.
    static let optionsAboutCopies: Set = ["-e", "--effect", "--effects", "--startup", "--at-once"]

    static var table: [OptionReader<MeasureArguments>] { effects + ways + startup }

    private static var effects: [OptionReader<MeasureArguments>] {
        let most = MeasureSettings.mostEffects
        let saved = ChainArguments.table.filter { ["--chain", "--skip-missing", "--allow"].contains($0.option.name) }
        let own: [OptionReader<MeasureArguments>] = [
            .integers(
                "--effects", "N[,N…]", in: 1...most,
                "Effects in a chain, at most \(most). One number N measures 1 and N, unless there are branches", default: "1"
            ) { $0.settings.effectCounts = $1 },
            .integer("--branches", "N", in: 1...most, "Chains side by side, mixed at the end", default: "1") {
                $0.settings.branchCount = $1
            },
            .integers("--frames", "N[,N…]", in: 1...8192, "Frames in a cycle", default: "32,64,128,256,1024") {
                $0.settings.frameCounts = $1
            },
            .integer("--cycles", "N", in: 1...1_000_000, "Cycles of each kind", default: "20000") { $0.settings.cycleCount = $1 },
            .integer(
                "--period", "US", in: 0...1_000_000, "Rest between cycles as a driver does: microseconds from start to start",
                default: "0, no rest"
            ) { $0.settings.periodMicroseconds = $1 },
            .text(
                "-e, --effect", "ID", offering: .plugin, "The effect to measure, which must consent to running in process",
                default: "Gain"
            ) { ($0.id, $0.settings.subject) = ($1, $1) },
        ]
        return own + saved.lifted(to: \.chain, section: Option.ownSection)
    }

    private static var ways: [OptionReader<MeasureArguments>] {
        [
            .choices(
                "--isolation", "P[,P…]", among: IsolationPolicy.choices, "The isolation policies to compare with in process",
                default: "individually"
            ) { measure, isolations in
                guard !isolations.contains(.inProcess) else {
                    throw CommandError.usage(
                        "In process is measured anyway; --isolation says which effects share another process.", command: nil)
                }
                measure.settings.isolations = isolations
            }.offering(.choices(IsolationPolicy.choices.filter { $0 != .inProcess }.map(\.rawValue))),
            .choices(
                "--placement", "P[,P…]", among: UnitPlacement.allCases,
                "Render effects on the measuring processor (together), on others (spread), or each branch on another (branches)",
                default: "together"
            ) { $0.settings.placements = $1 },
            .choices(
                "--waiting", "W[,W…]", among: WaitStrategy.allCases,
                "Wait for spread effects asleep (futex), after a short spin (adaptive), or spinning (spin)", default: "adaptive"
            ) { $0.settings.waitings = $1 },
            .text(
                "--processor", "P", "The processor of all threads but those of spread effects: a number, or any",
                default: "the last"
            ) {
                $0.settings.processor = try Self.processor($1)
            },
        ]
    }

    private static var startup: [OptionReader<MeasureArguments>] {
        [
            .integer("--startup", "N", in: 1...10_000, "Measure the start and the memory of a unit instead, N times") {
                $0.settings.startupCount = $1
            },
            .integer("--at-once", "N", in: 1...MeasureSettings.mostEffects, "Units that --startup starts at once", default: "1") {
                $0.settings.startedAtOnce = $1
            },
        ]
    }

    private static func processor(_ text: String) throws(CommandError) -> MeasureSettings.ProcessorChoice {
        if text == "any" { return .any }
        guard let number = Int(text), (0..<1024).contains(number) else {
            throw CommandError.usage("--processor takes the number of a processor, or \"any\", not \"\(text)\".", command: nil)
        }
        return .number(number)
    }

    /// Checks the options together.
    mutating func finish(_ arguments: Arguments) throws(CommandError) {
        if let saved = chain.saved { settings.subject = saved.name }
        if settings.startedAtOnce > 1, settings.startupCount == nil {
            throw arguments.usage("--at-once belongs to --startup; give both.")
        }
        if settings.branchCount > 1, settings.startupCount != nil {
            throw arguments.usage("--startup starts single units; leave --branches out.")
        }
        if !chain.isEmpty, let option = arguments.given.first(where: Self.optionsAboutCopies.contains) {
            throw arguments.usage("--chain stands for the effects; leave \(option) out.")
        }
    }
}

extension MeasureArguments {
    /// The effect whose copies are measured.
    func component() throws -> Component { try InstalledPlugins.registry(wanting: [id]).component(named: id) }

    /// The effects to measure, from the installed plug-ins.
    func effects() throws -> MeasuredEffects {
        guard let name = chain.saved?.name else { return try .checked(copiesOf: try component()) }
        let (arguments, registry) = try chain.completed()
        return try .checked(arguments.effects.compactMap { $0.saved?.unit }, name: name, registry)
    }
}
