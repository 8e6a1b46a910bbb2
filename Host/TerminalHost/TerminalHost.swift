// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The command line: finds the command, runs it and reports its error. Main thread.

import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import Measuring
import PluginHosting

/// The command-line tool.
public enum TerminalHost {
    static var commands: [any Command.Type] { CommandGroup.all.flatMap(\.commands) }

    /// Commands that scripts and this command itself call.
    static var hiddenCommands: [any Command.Type] { [ValidateCaseCommand.self, ManualCommand.self, CompleteCommand.self] }

    /// Runs the command in the arguments of this process.
    ///
    /// - Returns: the exit status.
    public static func run() -> Int32 {
        let arguments = OwnExecutable.arguments
        guard StandardDescriptors.fill() else { return EX_OSERR }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // The parent process may have ignored SIGCHLD. A child inherits that, and could not learn how a plug-in ended.
        signal(SIGCHLD, SIG_DFL)
        Interruption.watch()
        PluginMessages.begin()
        return status {
            try dispatch(try ArgumentBytes.decoded(arguments + (arguments[0] == nil ? 0 : 1)))
            PluginMessages.settle()
            try Terminal.checkOutput()
        }
    }

    /// Runs a part of a command, prints its error, and returns the exit status.
    static func status(of body: () throws -> Void) -> Int32 {
        do {
            try body()
            return 0
        } catch {
            return report(error)
        }
    }

    /// Prints an error, and returns its exit status.
    private static func report(_ error: any Error) -> Int32 {
        let known = CommandError(error)
        // The output of a plug-in before its failure comes first.
        PluginMessages.settle()
        if case .unread = known { return known.exitStatus }
        Terminal.printError("\(known)")
        return known.exitStatus
    }

    private static func dispatch(_ arguments: [String]) throws {
        guard let name = arguments.first, name != "--help", name != "-h", name != "help" || arguments.count > 1 else {
            if arguments.isEmpty { return try StartScreen.run() }
            return Terminal.print(CommandGroup.overview)
        }
        if name == "--version" { return Terminal.print("bulkhead \(version)") }
        if name == "help" { return Terminal.print(CommandFacts(try command(named: arguments[1])).help) }
        let command = try command(named: name)
        let words = arguments.prefix { $0 != Arguments.endOfOptions }
        let isAsking = words.contains("--help") || words.contains("-h")
        // `complete` has the arguments of another command line.
        if isAsking, name != CompleteCommand.name { return Terminal.print(CommandFacts(command).help) }
        var rest = Arguments(command: name, Array(arguments.dropFirst()))
        try command.init(&rest).run()
    }

    static let version = "0.1.0"

    static func command(named name: String) throws(CommandError) -> any Command.Type {
        if let command = (commands + hiddenCommands).first(where: { $0.name == name }) { return command }
        let near = NearestNames.among(commands.map { $0.name }, to: name, limit: 1)
        throw .usage("There is no command \"\(name)\".\(near.first.map { " Did you mean \"\($0)\"?" } ?? "")", command: nil)
    }
}
