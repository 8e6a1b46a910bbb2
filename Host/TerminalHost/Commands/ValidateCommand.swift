// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead validate: tests plug-ins for violations of the rules. Main thread.

import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Validation

struct ValidateCommand: Command {
    static let name = "validate"
    static let summary = "tests whether plug-ins keep the rules"
    static let synopsis = "ID… | --all | --format F [--case NAME]… [--protocol] [--reproduce SEED] [--report DIR] [--json]"
    static let operands = [Operand("ID", .plugin, .many)]
    static var table: [OptionReader<Self>] {
        [
            .flag("--all", "Validate all plug-ins that are not blocked") { $0.isAll = true },
            PluginFormat.option("Validate all plug-ins of this format") { $0.format = $1 },
            .text(
                "--case", "NAME", offering: .choice(ValidationCases.names.map(\.name)), "Run only this case; repeat it for several"
            ) {
                try Self.requireCase($1)
                if !$0.caseNames.contains($1) { $0.caseNames.append($1) }
            },
            .flag("--protocol", "Run only the cases that test the protocol itself, whose names begin with protocol-") { command in
                command.caseNames += ValidationCases.protocolNames.filter { !command.caseNames.contains($0) }
            },
            .text("--reproduce", "SEED", "Use the random numbers of an earlier run") { $0.seed = try Self.seed($1) },
            .integer("--jobs", "N", in: 1...256, "Cases that run at once", default: "the number of processors") {
                $0.jobCount = $1
            },
            .number("--time-out", "SECONDS", in: 0.1...3600, "The time limit of a case; some get a multiple", default: "10") {
                $0.timeLimitSeconds = $1
            },
            .text("--report", "DIR", offering: .folder, "Write a JSON and a text file for each unit there, and a summary") {
                $0.reportFolder = $1
            },
            .flag("--json", "Print JSON") { $0.isJSON = true },
        ]
    }
    static var details: String {
        let lines = ValidationCases.names.map { "- `\($0.name)`: \($0.summary)" }
        return """
            Each case runs in its own process and ends in pass, warning, fail, hang or crash. The worst case counts for the unit.
            The exit status is 1 when a case failed, hung or crashed. Below each failure is the command that reproduces it.

            The cases whose names begin with `protocol-` play the host by themselves, without the engine: they start the
            extension's process, and write each message, request and ring by hand. Each of their findings says what the extension
            did, what the protocol asks, and what to change. They run in any validation, and alone with `--protocol`, which takes
            a few seconds.

            The cases are:

            \(lines.joined(separator: "\n"))
            """
    }
    static let examples = ["Reverb", "Reverb --protocol", "--all --jobs 2 --report results", "Delay --case tail --reproduce 7"]

    private var names: [String] = []
    private var isAll = false
    private var format: PluginFormat?
    private var caseNames: [String] = []
    private var seed: UInt64 = .random(in: 1...999_999_999)
    private var jobCount = Scheduling.processors(ofThread: 0).count
    private var timeLimitSeconds = 10.0
    private var reportFolder: String?
    private var isJSON = false

    mutating func take(_ operand: String) -> Bool {
        names.append(operand)
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard !names.isEmpty || isAll || format != nil else {
            throw arguments.usage("Say which plug-in to validate, or --all.")
        }
        if !names.isEmpty, isAll || format != nil { throw arguments.usage("Name plug-ins, or give --all or --format, not both.") }
    }

    private static func seed(_ text: String) throws(CommandError) -> UInt64 {
        if let seed = UInt64(text) { return seed }
        throw usage("--reproduce takes the number of an earlier run, not \"\(text)\".")
    }

    func run() throws {
        let files = try reportFolder.map { try ReportFolder($0) }
        let components = try chosenComponents()
        let cases = caseNames.isEmpty ? ValidationCases.names.map(\.name) : caseNames
        let validator = Validator(
            ValidationPlan(
                components: components, caseNames: cases, seed: seed, jobCount: jobCount, timeLimitSeconds: timeLimitSeconds))
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
        let registry = try InstalledPlugins.registry(wanting: names.isEmpty ? nil : names)
        if !names.isEmpty { return try names.map { try registry.component(named: $0) } }
        // Blocked plug-ins do not start.
        let chosen = registry.components.filter { (format == nil || $0.format == format) && !$0.isBlocked }
        if chosen.isEmpty { throw CommandError.failed("There is no plug-in to validate. List them with: bulkhead list") }
        return chosen
    }

    /// Writes at once, so that a reader of a pipe can follow a long run.
    private func print(_ unit: UnitReport) {
        Terminal.print(lines: ([unit.line] + unit.findingLines).map { StyledText($0) })
    }

    private func conclude(_ summary: ValidationSummary, _ files: ReportFolder?, of count: Int) throws {
        try files?.write(summary)
        // A run that stops before its first unit has no summary. Its JSON is complete all the same.
        if isJSON {
            Terminal.print(try Terminal.json(summary))
        } else if !summary.units.isEmpty {
            Terminal.print(summary.line)
        }
        try Terminal.checkOutput()
        let bad = summary.units.count { $0.verdict.isFailure }
        if Interruption.isRequested { throw CommandError.failed("Stopped after \(summary.units.count) of \(count) units.") }
        guard bad == 0 else {
            throw CommandError.failed("\(bad) of \(summary.units.count) plug-ins did not pass; see above.")
        }
    }
}

extension Command {
    /// Throws unless the case exists.
    static func requireCase(_ name: String) throws(CommandError) {
        let names = ValidationCases.names.map(\.name)
        if names.contains(name) { return }
        let near = NearestNames.among(names, to: name, limit: 1)
        throw usage("There is no case \"\(name)\".\(near.first.map { " Did you mean \"\($0)\"?" } ?? "")")
    }
}
