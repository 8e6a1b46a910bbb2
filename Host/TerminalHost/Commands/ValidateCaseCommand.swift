// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead validate-case: one case of a validation, in a process of its own. Not for people, but it can be called. Main thread.

import Console
import Glibc
import PluginHosting
import Validation

struct ValidateCaseCommand: Command {
    static let name = "validate-case"
    static let summary = "runs one case of a validation in this process and prints a line of JSON"
    static let synopsis = "ID CASE SEED [--time-out SECONDS]"
    static let options = [Option("--time-out", "SECONDS", "how long it may take; 10 without it")]
    static let details = """
        The command starts itself so for each case of: bulkhead validate
        The exit status is 1 when the plug-in fails, hangs or crashes.
        """
    static let examples = ["Reverb tail 7"]

    private var words: [String] = []
    private var timeLimitSeconds = 10.0

    init(_ arguments: inout Arguments) throws {
        if CaseServer.isMeant(by: arguments.words) {
            CaseServer.serve()
            throw arguments.usage("\(arguments.words[0]) is for the command's own use.")
        }
        while let word = arguments.next() {
            if word == "--time-out" {
                timeLimitSeconds = try arguments.number(of: word, in: 0.1...3600)
            } else if word.hasPrefix("-") {
                throw arguments.unknown(word, among: Self.options)
            } else {
                words.append(word)
            }
        }
        guard words.count == 3, UInt64(words[2]) != nil else {
            throw arguments.usage("Say which plug-in, which case and which seed.")
        }
        try arguments.requireCase(words[1])
    }

    func run() throws {
        let registry = try InstalledPlugins.registry(wanting: [words[0]])
        let request = CaseRequest(
            component: try registry.component(named: words[0]), caseName: words[1], seed: UInt64(words[2]) ?? 0,
            timeLimitSeconds: timeLimitSeconds)
        CaseRun.run(request, deliver: Self.tell)
    }

    /// Prints the report; the exit status. On the thread that has the report, which may be the watchdog's.
    private static func tell(_ report: CaseReport) -> Int32 {
        Terminal.print(report.line)
        return TerminalHost.status {
            try Terminal.checkOutput()
            guard report.verdict.isFailure else { return }
            throw CommandError.failed("The case \"\(report.caseName)\" found what is wrong; it stands above.")
        }
    }
}
