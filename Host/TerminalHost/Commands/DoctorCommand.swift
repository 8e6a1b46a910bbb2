// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead doctor: what this machine offers, and what to change to get the rest. Main thread.

import Confinement
import Console

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "says what this machine offers, and what to change to get the rest"
    static let synopsis = "[--json]"
    static let options = [Option("--json", nil, "as JSON")]
    static let details = """
        Real-time rights make audio steady under load; Landlock, seccomp and namespaces are the walls around plug-ins. What is
        missing is done without, and here is where you are told. Two seconds long it also looks how often the machine lets
        nobody run, and measures what a hand-off between threads takes, which decides where effects render unless
        --placement says so (bulkhead help play). The status is 0 whatever is found.
        """
    static let examples = ["", "--json"]

    private var isJSON = false

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            guard word == "--json" else { throw arguments.unknown(word, among: Self.options) }
            isJSON = true
        }
    }

    func run() throws {
        let findings = Examination().findings
        guard !isJSON else { return Terminal.print(try Terminal.json(findings)) }
        Terminal.print(findings.map(\.text).joined(separator: "\n"))
    }
}
