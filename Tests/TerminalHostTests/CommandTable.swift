// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Command lines that are made from a command's table, for the tests of tables, pages and completions. Any thread.

import Testing

@testable import TerminalHost

/// A command by name, as the argument of a test.
struct TestedCommand: CustomTestStringConvertible, Sendable {
    let name: String
    var testDescription: String { name }

    static var all: [TestedCommand] {
        (TerminalHost.commands + TerminalHost.hiddenCommands).filter { $0.name != CompleteCommand.name }.map { Self(name: $0.name) }
    }

    static var listed: [TestedCommand] { TerminalHost.commands.map { Self(name: $0.name) } }

    var facts: CommandFacts {
        let command: any Command.Type = kind
        return CommandFacts(command)
    }

    private var kind: any Command.Type {
        (TerminalHost.commands + TerminalHost.hiddenCommands).first { $0.name == name } ?? ListCommand.self
    }

    /// Reads a command line as the program does.
    func parse(_ arguments: [String]) throws(CommandError) {
        var arguments = Arguments(command: name, arguments)
        _ = try kind.init(&arguments)
    }

    /// Its error, if it is not read.
    func complaint(_ arguments: [String]) -> String? {
        do throws(CommandError) {
            try parse(arguments)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A command line with which an option makes sense, without the option.
    func start(for option: Option) -> [String] {
        let hasActions = facts.operands.contains { $0.placeholder == "ACTION" }
        let action = option.actions.first ?? (hasActions ? (name == "graph" ? "check" : name == "ctl" ? "status" : "list") : nil)
        var start = facts.operands.filter { $0.actions.isEmpty || action.map($0.actions.contains) ?? true }.map { operand in
            switch operand.placeholder {
            case "ACTION": action ?? ""
            case "SEED": "7"
            case "NAME" where operand.kind == .text: "Echo"
            default: Self.value(of: operand.kind)
            }
        }
        if name == "ctl", ["connect", "map"].contains(action) { start.append("8") }
        if name == "validate", ["--all", "--format"].contains(option.name) { start = [] }
        if name == "manual", option.name != "--folder" { start += ["--folder", "a"] }
        let needsEffect = [
            "--preset", "--set", "--automate", "--fallback", "--bypass", "--in-process", "--midi-channels", "--midi-keys",
            "--midi-transpose",
        ]
        if facts.options.contains(where: { $0.names.contains("-e") }), needsEffect.contains(option.name) || name == "chain" {
            if name != "chain" || action == "save" { start += ["-e", "Gain"] }
        }
        if option.name == "--skip-missing" { start += ["--chain", "Voice"] }
        if ["--jobs", "--extension", "--json"].contains(option.name), name == "render" { start += ["--output-folder", "b"] }
        if option.name == "--node" { start = [] }
        if option.name == "--show" { start += ["--picture", "b.png"] }
        if name == "attach", ["--size", "--node", "--view"].contains(option.name) { start += ["--picture", "b.png"] }
        if name == "service" { start = ["show", "Echo"] }
        if option.name == "--osc-address" { start += ["--osc", "9000"] }
        if option.name == "--at-once" { start += ["--startup", "1"] }
        return start
    }

    /// A value that an option or an operand takes.
    static func value(of kind: ValueKind) -> String {
        switch kind {
        case .text: "7"
        case .suggestions(let names), .choice(let names), .choices(let names): names[0]
        case .integer(let range), .integers(let range): "\(range.lowerBound)"
        case .number(let range): "\(range.upperBound)"
        case .file: "a.wav"
        case .folder: "a"
        case .plugin: "Gain"
        case .preset: "Loud"
        case .parameter: "gain=0:1"
        case .chain: "Voice"
        }
    }

    /// A value for a row of the table.
    ///
    /// Some options want more than their kind says.
    static func value(of option: Option) -> [String] {
        guard let value = option.value else { return [] }
        switch option.name {
        case "--plot", "--picture": return ["a.svg"]
        case "--size": return ["80x24"]
        case "--subtype", "--manufacturer": return ["blkh"]
        default: return [Self.value(of: value.kind)]
        }
    }
}
