// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The commands, and which of them a command line means. Main thread.

import Console
import FoundationEssentials
import Glibc
import Measuring
import PluginHosting

/// A command of `bulkhead`.
protocol Command {
    static var name: String { get }
    /// What it does, in a few words.
    static var summary: String { get }
    /// The arguments, as they stand after the name.
    static var synopsis: String { get }
    static var options: [Option] { get }
    /// Further lines for its help: what the output means, what is not obvious.
    static var details: String { get }
    /// Command lines that teach, as they stand after the name.
    static var examples: [String] { get }
    init(_ arguments: inout Arguments) throws
    func run() throws
}

extension Command {
    static var details: String { "" }
    static var examples: [String] { [] }

    static var help: String {
        let sentence = "\(summary.prefix(1).uppercased())\(summary.dropFirst())."
        var lines = [sentence, "", "    bulkhead \(name) \(synopsis)", ""]
        let widest = options.map { $0.name.count + ($0.value.map { $0.count + 1 } ?? 0) }.max() ?? 0
        for option in options {
            let left = option.name + (option.value.map { " \($0)" } ?? "")
            lines.append("  \(left.padded(to: widest))  \(option.help)")
        }
        if !details.isEmpty { lines += ["", details] }
        let calls = examples.map { "    bulkhead \(name)\($0.isEmpty ? "" : " ")\($0)" }
        if !calls.isEmpty { lines += ["", "For example:"] + calls }
        return lines.joined(separator: "\n")
    }
}

/// The command-line tool.
package enum TerminalHost {
    static var commands: [any Command.Type] {
        [
            ListCommand.self, InfoCommand.self, ScanCommand.self, RenderCommand.self, PlayCommand.self, LiveCommand.self,
            MeasureCommand.self, ValidateCommand.self, PresetCommand.self, ChainCommand.self, BlockCommand.self,
            UnblockCommand.self, TrustCommand.self, UntrustCommand.self, GrantCommand.self, RevokeCommand.self,
            ConfineCommand.self, UnconfineCommand.self, DoctorCommand.self, NewCommand.self, BundleCommand.self, DemoCommand.self,
        ]
    }

    /// Runs what the words after the program's name ask for; the exit status.
    package static func run(_ words: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Whoever has started the command may have ignored it, which is inherited; then nobody is told how a plug-in ended.
        signal(SIGCHLD, SIG_DFL)
        Interruption.watch()
        return status {
            try dispatch(words)
            try Terminal.checkOutput()
        }
    }

    /// Runs a piece of a command and prints its error; the exit status.
    static func status(of body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch {
            return report(error)
        }
    }

    /// Prints an error; its exit status.
    private static func report(_ error: any Error) -> Int32 {
        let known =
            switch error {
            case let error as CommandError: error
            case let error as OutputError: CommandError(error)
            case let error as MeasurementError: CommandError(error)
            default: CommandError.failed(Terminal.sentence(of: error))
            }
        if case .unread = known { return known.exitStatus }
        Terminal.printError("\(known)")
        return known.exitStatus
    }

    /// What the command calls itself by; nobody else needs to know of them.
    private static var hiddenCommands: [any Command.Type] { [ValidateCaseCommand.self] }

    private static func dispatch(_ words: [String]) throws {
        guard let name = words.first, name != "--help", name != "-h", name != "help" || words.count > 1 else {
            if words.isEmpty { throw CommandError.usage("Say what to do.", command: nil) }
            return Terminal.print(overview)
        }
        if name == "--version" { return Terminal.print("bulkhead \(version)") }
        if name == "help" { return Terminal.print(try command(named: words[1]).help) }
        let command = try command(named: name)
        if words.contains("--help") || words.contains("-h") { return Terminal.print(command.help) }
        var arguments = Arguments(command: name, words: Array(words.dropFirst()))
        try command.init(&arguments).run()
    }

    static let version = "0.1.0"

    private static func command(named name: String) throws(CommandError) -> any Command.Type {
        if let command = (commands + hiddenCommands).first(where: { $0.name == name }) { return command }
        let near = NearestNames.among(commands.map { $0.name }, to: name, limit: 1)
        throw .usage("There is no command \"\(name)\".\(near.first.map { " Did you mean \"\($0)\"?" } ?? "")", command: nil)
    }

    private static var overview: String {
        let lines = commands.map { "    \($0.name.padded(to: 9)) \($0.summary)" }
        return """
            bulkhead hosts audio plug-ins, each in a process of its own. When one crashes, the music keeps playing.

            \(lines.joined(separator: "\n"))

            Help on one of them: bulkhead COMMAND --help
            To begin with:       bulkhead demo
            """
    }
}
