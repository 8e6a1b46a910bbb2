// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead doctor: checks this machine's features, and suggests changes. Main thread.

import Confinement
import Console
import PluginHosting

struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "checks what this machine offers, and what a plug-in may do"
    static let synopsis = "[--plugin ID] [--json]"
    static var table: [OptionReader<Self>] {
        [
            .text("--plugin", "ID", offering: .plugin, "Say instead what this plug-in may do, why, and since when") {
                $0.plugin = $1
            },
            .flag("--json", "Print JSON") { $0.isJSON = true },
        ]
    }
    static let details = """
        Real-time rights keep audio steady under load. Landlock, seccomp and namespaces confine plug-ins. Bulkhead works
        without them, less steadily or less safely; this command says what is missing. For two seconds it also watches how
        often the machine stalls. Then it measures hand-offs between threads, which decide where effects render unless
        `--placement` does. The exit status is 0 whatever is missing.

        With `--plugin` it lists what the plug-in's process may reach: what every plug-in of its kind may, what you decided and
        when, and what you decided about a plug-in that was replaced since.
        """
    static let examples = ["", "--json", "--plugin Reverb"]

    private var plugin: String?
    private var isJSON = false

    func run() throws {
        if let plugin { return try examine(plugin) }
        let findings = Examination().findings
        guard !isJSON else { return Terminal.print(try Terminal.json(findings)) }
        Terminal.print(lines: findings.flatMap(\.lines))
    }

    private func examine(_ plugin: String) throws {
        let component = try InstalledPlugins.registry(wanting: [plugin]).component(named: plugin)
        let permissions = component.permissions
        guard !isJSON else { return Terminal.print(try Terminal.json(permissions)) }
        let lines = permissions.map { permission in
            let since = permission.since.map { ", on \($0)" } ?? ""
            return "\(permission.isAllowed ? "may    " : "may not") \(permission.act)\n\(indent)\(permission.reason)\(since)"
        }
        Terminal.print("\(component.name), \(component.id), in \(component.home)\n\n" + lines.joined(separator: "\n"))
    }

    /// The indentation of a reason, which is the width of the column before it.
    private var indent: String { String(repeating: " ", count: 8) }
}
