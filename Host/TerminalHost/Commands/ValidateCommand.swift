// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead validate: whether plug-ins keep to the rules. Main thread.

import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Validation

struct ValidateCommand: Command {
    static let name = "validate"
    static let summary = "tries out whether plug-ins keep to the rules"
    static let synopsis = "ID… | --all | --format F [--case NAME]… [--reproduce SEED] [--report DIR] [--json]"
    static let options = [
        Option("--all", nil, "every plug-in there is but those that are blocked"),
        Option("--format", "F", "every plug-in of a format: native, ladspa or lv2"),
        Option("--case", "NAME", "only this case; again for more of them"),
        Option("--reproduce", "SEED", "the random numbers of an earlier run"),
        Option("--jobs", "N", "cases that run at once; as many as there are processors without it"),
        Option("--time-out", "SECONDS", "how long a case may take, some a few times as long; 10 without it"),
        Option("--report", "DIR", "write a JSON and a text file for each unit there, and a summary"),
        Option("--json", nil, "print everything as JSON"),
    ]
    static var details: String {
        let names = ValidationCases.names
        let widest = names.map(\.name.count).max() ?? 0
        let lines = names.map { "  \($0.name.padded(to: widest))  \($0.summary)" }
        return """
            Each case runs in a process of its own and ends in pass, warning, fail, hang or crash; a unit is as good as the
            worst of its cases. The exit status is 1 when one failed, hung or crashed. Below each failure stands the command
            that brings it about again. The cases are:

            \(lines.joined(separator: "\n"))
            """
    }
    static let examples = ["Reverb", "--all --jobs 2 --report results", "Delay --case tail --reproduce 7"]

    private var words: [String] = []
    private var isAll = false
    private var format: PluginFormat?
    private var caseNames: [String] = []
    private var seed: UInt64 = .random(in: 1...999_999_999)
    private var jobCount = Scheduling.processors(ofThread: 0).count
    private var timeLimitSeconds = 10.0
    private var reportFolder: String?
    private var isJSON = false

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            switch word {
            case "--all": isAll = true
            case "--format": format = try Self.format(&arguments)
            case "--case": try takeCase(&arguments)
            case "--reproduce": seed = try Self.seed(&arguments)
            case "--jobs": jobCount = try arguments.integer(of: word, in: 1...256)
            case "--time-out": timeLimitSeconds = try arguments.number(of: word, in: 0.1...3600)
            case "--report": reportFolder = try arguments.value(of: word)
            case "--json": isJSON = true
            default:
                guard !word.hasPrefix("-") else { throw arguments.unknown(word, among: Self.options) }
                words.append(word)
            }
        }
        guard !words.isEmpty || isAll || format != nil else {
            throw arguments.usage("Say which plug-in to validate, or --all.")
        }
        if !words.isEmpty, isAll || format != nil { throw arguments.usage("Name plug-ins, or say --all or --format, not both.") }
    }

    private static func format(_ arguments: inout Arguments) throws(CommandError) -> PluginFormat {
        let text = try arguments.value(of: "--format")
        if let format = PluginFormat(rawValue: text.lowercased()) { return format }
        let names = PluginFormat.allCases.map(\.rawValue).joined(separator: ", ")
        throw arguments.usage("--format takes one of \(names), not \"\(text)\".")
    }

    private static func seed(_ arguments: inout Arguments) throws(CommandError) -> UInt64 {
        let text = try arguments.value(of: "--reproduce")
        guard let seed = UInt64(text) else {
            throw arguments.usage("--reproduce takes the number of an earlier run, not \"\(text)\".")
        }
        return seed
    }

    private mutating func takeCase(_ arguments: inout Arguments) throws(CommandError) {
        let text = try arguments.value(of: "--case")
        try arguments.requireCase(text)
        if !caseNames.contains(text) { caseNames.append(text) }
    }

    func run() throws {
        let files = try reportFolder.map { try ReportFolder($0) }
        let components = try chosenComponents()
        let names = caseNames.isEmpty ? ValidationCases.names.map(\.name) : caseNames
        let validator = Validator(
            ValidationPlan(
                components: components, caseNames: names, seed: seed, jobCount: jobCount, timeLimitSeconds: timeLimitSeconds))
        let progress = ProgressLine("Validating", on: STDERR_FILENO)
        var problem: (any Error)?
        let units = try validator.run { share, fresh in
            if !fresh.isEmpty { progress.finish() }
            for unit in fresh {
                if !isJSON { print(unit) }
                do { try files?.write(unit) } catch { problem = error }
            }
            progress.show(share)
            do { try Terminal.checkOutput() } catch { problem = problem ?? error }
            return problem == nil && !Interruption.isRequested
        }
        progress.finish()
        if let problem { throw problem }
        try conclude(ValidationSummary(seed: seed, units: units), files, of: components.count)
    }

    private func chosenComponents() throws -> [Component] {
        let registry = try InstalledPlugins.registry(wanting: words.isEmpty ? nil : words)
        if !words.isEmpty { return try words.map { try registry.component(named: $0) } }
        // What the user does not want to be started is not started.
        let chosen = registry.components.filter { (format == nil || $0.format == format) && !$0.isBlocked }
        if chosen.isEmpty { throw CommandError.failed("There is no plug-in to validate. List them with: bulkhead list") }
        return chosen
    }

    /// At once, so that a long run can be watched through a pipe.
    private func print(_ unit: UnitReport) {
        Terminal.write(([unit.line] + unit.findingLines).joined(separator: "\n") + "\n")
    }

    private func conclude(_ summary: ValidationSummary, _ files: ReportFolder?, of count: Int) throws {
        try files?.write(summary)
        // A run that was stopped before its first unit was done has nothing to sum up; JSON is whole all the same.
        if isJSON {
            Terminal.print(try Terminal.json(summary))
        } else if !summary.units.isEmpty {
            Terminal.print(summary.line)
        }
        try Terminal.checkOutput()
        let bad = summary.units.count { $0.verdict.isFailure }
        if Interruption.isRequested { throw CommandError.failed("Stopped after \(summary.units.count) of \(count) units.") }
        guard bad == 0 else {
            throw CommandError.failed("\(bad) of \(summary.units.count) plug-ins did not pass; what is wrong stands above.")
        }
    }
}

extension Arguments {
    /// Throws when there is no such case.
    func requireCase(_ name: String) throws(CommandError) {
        let names = ValidationCases.names.map(\.name)
        if names.contains(name) { return }
        let near = NearestNames.among(names, to: name, limit: 1)
        throw usage("There is no case \"\(name)\".\(near.first.map { " Did you mean \"\($0)\"?" } ?? "")")
    }
}
