// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments of `measure` that make up its settings. Main thread.

import Measuring
import PluginHosting

/// The settings of a measurement, and the effect or chain to measure, as a command line names them.
struct MeasureArguments {
    private(set) var settings = MeasureSettings()
    private var id = MeasureSettings.defaultID
    /// The saved chain that is measured instead of copies of one effect.
    private(set) var chain = ChainArguments()
    /// The options given that are about copies of one effect.
    private(set) var optionsAboutCopies: [String] = []

    /// Takes an option and its value. Returns false for an option of another table.
    mutating func take(_ option: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        if ["-e", "--effect", "--effects", "--startup", "--at-once"].contains(option) { optionsAboutCopies.append(option) }
        let most = MeasureSettings.mostEffects
        switch option {
        case "--chain", "--skip-missing":
            guard try chain.take(option, &arguments) else { return false }
            settings.subject = chain.saved?.name ?? id
        case "-e", "--effect":
            id = try arguments.value(of: option)
            settings.subject = id
        case "--effects": settings.effectCounts = try arguments.integers(of: option, in: 1...most)
        case "--branches": settings.branchCount = try arguments.integer(of: option, in: 1...most)
        case "--frames": settings.frameCounts = try arguments.integers(of: option, in: 1...8192)
        case "--cycles": settings.cycleCount = try arguments.integer(of: option, in: 1...1_000_000)
        case "--period": settings.periodMicroseconds = try arguments.integer(of: option, in: 0...1_000_000)
        case "--isolation":
            settings.isolations = try arguments.choices(of: option, among: IsolationPolicy.choices)
            guard !settings.isolations.contains(.inProcess) else {
                throw arguments.usage("In process is measured anyway; --isolation says who shares a process outside of the host.")
            }
        case "--placement": settings.placements = try arguments.choices(of: option, among: UnitPlacement.allCases)
        case "--waiting": settings.waitings = try arguments.choices(of: option, among: WaitStrategy.allCases)
        case "--at-once": settings.startedAtOnce = try arguments.integer(of: option, in: 1...most)
        case "--startup": settings.startupCount = try arguments.integer(of: option, in: 1...10_000)
        case "--processor":
            let text = try arguments.value(of: option)
            settings.processor = text == "any" ? .any : .number(try Self.processor(text, arguments))
        default: return false
        }
        return true
    }

    private static func processor(_ text: String, _ arguments: Arguments) throws(CommandError) -> Int {
        guard let number = Int(text), (0..<1024).contains(number) else {
            throw arguments.usage("--processor takes the number of a processor, or \"any\", not \"\(text)\".")
        }
        return number
    }
}

extension MeasureArguments {
    /// The one effect of which copies are measured.
    func component() throws -> Component { try InstalledPlugins.registry(wanting: [id]).component(named: id) }

    /// The effects to measure, found among the installed plug-ins.
    func effects() throws -> MeasuredEffects {
        guard let name = chain.saved?.name else { return .copies(of: try component()) }
        let (arguments, registry) = try chain.completed()
        return try .checked(arguments.effects.compactMap { $0.saved?.unit }, name: name, registry)
    }
}
