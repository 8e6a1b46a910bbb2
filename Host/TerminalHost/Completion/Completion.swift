// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the candidates for the next word of a command line in the tables of the commands. Main thread.

/// The completions of the last argument of a command line.
struct Completion: Equatable {
    struct Candidate: Equatable {
        let text: String
        /// A few words about it; may be empty.
        let help: String
    }

    /// Names that only this machine knows.
    struct Names {
        var plugins: () -> [Candidate] = { [] }
        var chains: () -> [Candidate] = { [] }
        /// The presets of a plug-in.
        var presets: (String) -> [Candidate] = { _ in [] }
        /// The parameters of a plug-in, as `KEYPATH=`.
        var parameters: (String) -> [Candidate] = { _ in [] }
    }

    /// Files, which the shell itself completes better.
    enum Files: String { case files, folders }

    private(set) var candidates: [Candidate] = []
    private(set) var files: Files?

    /// Completes the last one of the arguments after the program's name.
    ///
    /// It may be empty.
    init(of arguments: [String], _ names: Names) {
        let typed = arguments.last ?? ""
        let name = arguments.first ?? ""
        if arguments.count < 2 || name == "help" {
            self.init(arguments.count < 3 ? Self.commandNames : [], typed)
        } else if let command = TerminalHost.commands.first(where: { $0.name == name }) {
            self.init(of: CommandFacts(command), Array(arguments.dropFirst().dropLast()), typed, names)
        } else {
            self.init()
        }
    }

    private init(_ candidates: [Candidate] = [], _ typed: String = "") {
        // Upper and lower case are equal.
        self.candidates = candidates.filter { $0.text.lowercased().hasPrefix(typed.lowercased()) }
    }

    private static var commandNames: [Candidate] {
        TerminalHost.commands.map { Candidate(text: $0.name, help: $0.summary) }
            + [Candidate(text: "--help", help: "shows all commands"), Candidate(text: "--version", help: "shows the version")]
    }

    private init(of command: CommandFacts, _ before: [String], _ typed: String, _ names: Names) {
        var position = Position(command)
        var words = Arguments(command: command.name, before)
        while let word = words.nextWord() { position.pass(word.text) }
        self.init()
        if let value = position.pendingValue {
            complete(value.kind, typed, position.plugin, names)
        } else if typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
            let option = typed[..<equals]
            guard let value = position.options.first(where: { $0.names.contains(String(option)) })?.value else { return }
            complete(value.kind, String(typed[typed.index(after: equals)...]), position.plugin, names)
            candidates = candidates.map { Candidate(text: "\(option)=\($0.text)", help: $0.help) }
        } else if !typed.hasPrefix("-"), let operand = position.operand {
            complete(operand.kind, typed, position.plugin, names)
        } else {
            let options = position.options.flatMap { option in
                option.names.map { Candidate(text: $0, help: option.sentence) }
            }
            let help = Candidate(text: "--help", help: "shows the help of \(command.name)")
            self = Completion(options + [help], typed)
        }
    }

    private mutating func complete(_ kind: ValueKind, _ typed: String, _ plugin: String?, _ names: Names) {
        switch kind {
        case .text, .integer, .number, .integers: return
        case .file: files = .files
        case .folder: files = .folders
        case .choice(let known), .suggestions(let known): self = Completion(known.map { Candidate(text: $0, help: "") }, typed)
        case .choices(let known):
            let start = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
            let rest = known.filter { !start.split(separator: ",").contains(Substring($0)) }
            self = Completion(rest.map { Candidate(text: start + $0, help: "") }, typed)
        case .plugin: self = Completion(names.plugins(), typed)
        case .preset: self = Completion(plugin.map(names.presets) ?? [], typed)
        case .parameter: self = Completion(plugin.map(names.parameters) ?? [], typed)
        case .chain:
            self = Completion(names.chains(), typed)
            if typed.contains("/") || candidates.isEmpty { files = .files }
        }
    }
}

/// The state of a command line after its complete words.
private struct Position {
    let command: CommandFacts
    private(set) var pendingValue: Option.Value?
    /// The last plug-in on the command line.
    private(set) var plugin: String?
    private var action: String?
    private var operandCount = 0
    private var passedOptions: Set<String> = []

    init(_ command: CommandFacts) { self.command = command }

    /// The options for the action.
    var options: [Option] { command.options.filter { $0.belongs(to: action) } }

    /// The next operand.
    var operand: Operand? {
        let operands = command.operands.filter { operand in operand.actions.isEmpty || action.map(operand.actions.contains) ?? true
        }
        if operandCount < operands.count { return operands[operandCount] }
        return operands.last.flatMap { takesMany($0) ? $0 : nil }
    }

    private func takesMany(_ operand: Operand) -> Bool {
        if case .manyWith(let option) = operand.count { return passedOptions.contains(option) }
        return operand.count == .many
    }

    mutating func pass(_ argument: String) {
        if let value = pendingValue {
            if value.kind == .plugin { plugin = argument }
            pendingValue = nil
        } else if argument.hasPrefix("-") {
            passedOptions.insert(argument)
            pendingValue = options.first { $0.names.contains(argument) }?.value
        } else {
            if operand?.placeholder == "ACTION" { action = argument }
            if operand?.kind == .plugin { plugin = argument }
            operandCount += 1
        }
    }
}
