// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead scan: scans all plug-ins, and lists those that were found and those that are unusable. Main thread.

import Console
import LinuxSystem
import PluginHosting

struct ScanCommand: Command {
    static let name = "scan"
    static let summary = "scans all plug-ins, and says which cannot be used and why"
    static let synopsis = "[--rescan] [--json]"
    static var table: [OptionReader<Self>] {
        [
            .flag("--rescan", "Scan everything again", default: "only what has changed or failed") { $0.scope = .everything },
            .flag("--json", "Print JSON") { $0.isJSON = true },
        ]
    }
    static let details = """
        Native plug-ins are bundles; see `bulkhead list --help`. LADSPA plug-ins are libraries in LADSPA_PATH, or else in
        `~/.ladspa`, `/usr/local/lib/ladspa`, `/usr/lib/ladspa` and the like. LV2 plug-ins are folders in LV2_PATH, or else in
        `~/.lv2`, `/usr/local/lib/lv2`, `/usr/lib/lv2` and the like.

        A process of its own scans each library and folder, for at most 10 seconds. Its crash or hang ends nothing else. The
        results are kept in `$XDG_CACHE_HOME/bulkhead` (`~/.cache` when XDG_CACHE_HOME is not set) until the file changes. Every
        command scans what is new to it. This one also scans again what could not be used the last time.
        """
    static let examples = ["", "--rescan", "--json"]

    private var scope: ScanScope = .failures
    private var isJSON = false

    func run() throws {
        let start = MonotonicClock.now()
        let progress = ProgressLine("Scanning")
        let registry: ComponentRegistry
        do {
            defer { progress.finish() }
            registry = try InstalledPlugins.scan(scope: scope, progress)
        }
        let summary = ScanSummary(registry, seconds: Double(MonotonicClock.now() - start) / 1e9)
        if isJSON { Terminal.print(try Terminal.json(summary)) } else { Terminal.print(lines: summary.lines) }
        registry.report.warnings.forEach(Terminal.printError)
        registry.defects.forEach { Terminal.printError($0) }
    }
}

/// The results of a scan, for people and for scripts.
struct ScanSummary: Encodable {
    struct Count: Encodable {
        let format: String
        let plugins: Int
        let blocked: Int
    }

    struct Failure: Encodable {
        let format, path, reason: String
    }

    struct Hidden: Encodable {
        let id, path, hidingPath: String
    }

    let counts: [Count]
    let locations, scanned: Int
    let seconds: Double
    let failures, defects: [Failure]
    let hidden: [Hidden]

    init(_ registry: ComponentRegistry, seconds: Double) {
        let report = registry.report
        counts = PluginFormat.allCases.map { format in
            let components = registry.components.filter { $0.format == format }
            return Count(format: format.rawValue, plugins: components.count, blocked: components.count(where: \.isBlocked))
        }
        locations = report.locationCount
        scanned = report.scannedCount
        self.seconds = (seconds * 1000).rounded() / 1000
        failures = report.failures.map(Failure.init)
        defects = report.defects.map(Failure.init)
        hidden = report.hidden.map { Hidden(id: $0.id, path: $0.path, hidingPath: $0.hidingPath) }
    }

    var lines: [StyledText] {
        let rows = zip(PluginFormat.allCases, counts).map { format, count in
            [format.name, "\(count.plugins)", count.blocked == 0 ? "" : "\(count.blocked) blocked"]
        }
        var lines = Table(headings: ["Format", "Plug-ins", ""]).lines(rows)
        let time = seconds < 0.1 ? "" : ", in \(seconds.digits(1)) s"
        lines.append("")
        lines.append(
            "Scanned \(scanned) of \(locations) libraries and folders\(scanned == locations ? "" : "; the others are known")\(time)."
        )
        lines += Self.section("Libraries and folders that cannot be used:", failures.map { "\($0.path): \($0.reason)" })
        lines += Self.section("Plug-ins that cannot be used:", defects.map { "\($0.path): \($0.reason)" })
        lines += Self.section("Hidden by a plug-in of the same ID:", hidden.map { "\($0.id) in \($0.path), by \($0.hidingPath)" })
        return lines
    }

    private static func section(_ heading: String, _ lines: [String]) -> [StyledText] {
        lines.isEmpty ? [] : ["", StyledText(heading)] + lines.map { "    \($0)" }
    }
}

extension ScanSummary.Failure {
    fileprivate init(_ failure: ScanReport.Failure) {
        self.init(format: failure.format.rawValue, path: failure.path, reason: failure.reason)
    }
}
