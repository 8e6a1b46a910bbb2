// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead validate-case: runs one case of a validation in its own process. A hidden command. Main thread.

import Console
import Glibc
import PluginHosting
import Validation

struct ValidateCaseCommand: Command {
    static let name = "validate-case"
    static let summary = "runs one case of a validation in this process"
    static let synopsis = "ID CASE SEED [--time-out SECONDS]"
    static let operands = [
        Operand("ID", .plugin), Operand("CASE", .choice(ValidationCases.names.map(\.name))), Operand("SEED", .text),
    ]
    static var table: [OptionReader<Self>] {
        [.number("--time-out", "SECONDS", in: 0.1...3600, "The time limit", default: "10") { $0.timeLimitSeconds = $1 }]
    }
    static let details = """
        `bulkhead validate` starts this command for each case. The exit status is 1 when the plug-in fails, hangs or crashes.
        """
    static let examples = ["Reverb tail 7"]

    private var request: [String] = []
    private var timeLimitSeconds = 10.0

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) {
        guard CaseServer.isMeant(by: arguments.remaining) else { return }
        CaseServer.serve()
        throw arguments.usage("\(arguments.remaining[0]) is for the command's own use.")
    }

    mutating func take(_ operand: String) -> Bool {
        request.append(operand)
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard request.count == 3, UInt64(request[2]) != nil else {
            throw arguments.usage("Say which plug-in, which case and which seed.")
        }
        try Self.requireCase(request[1])
    }

    func run() throws {
        let registry = try InstalledPlugins.registry(wanting: [request[0]])
        let request = CaseRequest(
            component: try registry.component(named: request[0]), caseName: request[1], seed: UInt64(request[2]) ?? 0,
            timeLimitSeconds: timeLimitSeconds)
        CaseRun.run(request, deliver: Self.tell)
    }

    /// Prints the report, and returns the exit status.
    ///
    /// It may run on the watchdog's thread.
    private static func tell(_ report: CaseReport) -> Int32 {
        PluginMessages.settle()
        Terminal.print(report.line)
        return TerminalHost.status {
            try Terminal.checkOutput()
            guard report.verdict.isFailure else { return }
            throw CommandError.failed("The case \"\(report.caseName)\" found what is wrong; it stands above.")
        }
    }
}
