// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead doctor: checks what this machine offers, and says what to change. Main thread.

import Confinement
import Console

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "checks what this machine offers, and says what to change"
    static let synopsis = "[--json]"
    static var table: [OptionReader<Self>] { [.flag("--json", "Print JSON") { $0.isJSON = true }] }
    static let details = """
        Real-time rights keep audio steady under load. Landlock, seccomp and namespaces confine plug-ins. Bulkhead works
        without them, less steadily or less safely; this command says what is missing. For two seconds it also watches how
        often the machine stalls. Then it measures hand-offs between threads, which decide where effects render unless
        `--placement` does. The exit status is 0 whatever is missing.
        """
    static let examples = ["", "--json"]

    private var isJSON = false

    func run() throws {
        let findings = Examination().findings
        guard !isJSON else { return Terminal.print(try Terminal.json(findings)) }
        Terminal.print(findings.map(\.text).joined(separator: "\n"))
    }
}
