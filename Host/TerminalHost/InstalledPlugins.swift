// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The installed plug-ins for commands: scans them, and prints a message about unusable ones. Main thread.

import Console
import Glibc
import PluginHosting

/// The registry of plug-ins for commands.
enum InstalledPlugins {
    /// Scans the changed plug-ins, and returns the registry.
    ///
    /// Standard error shows the progress of a long scan, and the number of failures.
    ///
    /// `names` are the plug-ins for the command. If all of them are native, nothing is scanned.
    static func registry(wanting names: [String]? = nil) throws -> ComponentRegistry {
        let progress = ProgressLine("Scanning new plug-ins", on: STDERR_FILENO, after: 300)
        let registry: ComponentRegistry
        do {
            defer { progress.finish() }
            registry = try scan(wanting: names, progress)
        }
        registry.report.warnings.forEach(Terminal.printError)
        let count = registry.report.newFailureCount
        if count > 0 {
            let failures = count == 1 ? "1 library or folder" : "\(count) libraries or folders"
            Terminal.printError("\(failures) of plug-ins cannot be used. To see which, and why: bulkhead scan")
        }
        return registry
    }

    /// Scans with a progress line of the caller, without other output.
    static func scan(
        wanting names: [String]? = nil, scope: ScanScope = .changed, _ progress: ProgressLine
    ) throws -> ComponentRegistry {
        try ComponentRegistry.installed(wanting: names, scope: scope) { state in
            try Interruption.check("Stopped; the scan so far is kept.")
            progress.show(Double(state.doneCount) / Double(max(1, state.totalCount)))
        }
    }
}
