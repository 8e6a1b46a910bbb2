// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are installed, as commands get them: scanned, with a word about what was found. Main thread.

import Console
import Glibc
import PluginHosting

/// The one way for commands to get a registry.
enum InstalledPlugins {
    /// Scans what has changed. A line on standard error says what a scan takes and what it could not use.
    ///
    /// `names` is what the command looks for; when all of them are native plug-ins, nothing is scanned.
    static func registry(wanting names: [String]? = nil) throws -> ComponentRegistry {
        let progress = ProgressLine("Looking at new plug-ins", on: STDERR_FILENO, after: 300)
        let registry: ComponentRegistry
        do {
            defer { progress.finish() }
            registry = try scan(wanting: names, progress)
        }
        registry.report.warnings.forEach(Terminal.printError)
        let count = registry.report.newFailureCount
        if count > 0 {
            let places = count == 1 ? "1 library or folder" : "\(count) libraries or folders"
            Terminal.printError("\(places) of plug-ins cannot be used. Which, and why: bulkhead scan")
        }
        return registry
    }

    /// The same with a line of the caller's own, and nothing said.
    static func scan(
        wanting names: [String]? = nil, scope: ScanScope = .changed, _ progress: ProgressLine
    ) throws -> ComponentRegistry {
        try ComponentRegistry.installed(wanting: names, scope: scope) { state in
            try Interruption.check("Stopped; what has been scanned so far is remembered.")
            progress.show(Double(state.doneCount) / Double(max(1, state.totalCount)))
        }
    }
}
