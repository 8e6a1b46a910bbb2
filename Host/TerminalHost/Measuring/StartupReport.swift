// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a unit takes from nothing to its first block, and what its process holds in memory then. Main thread.

import LinuxSystem
import PluginHosting
import Rendering

/// The facts of `--startup`, as `--json` prints them.
struct StartupReport: Encodable {
    static let targetMilliseconds = 15.0
    static let targetPrivateKiB = 4096.0

    let unit: String
    let starts: Int
    /// From the call that instantiates to the end of the first render call, in milliseconds.
    let p50ms, p99ms, maxms: Double
    /// Medians over all starts; see `ProcessMemory`.
    let privateKiB, unsharedFileKiB, proportionalKiB: Double
    let isWithinTargets: Bool

    static func measure(_ settings: MeasureSettings, count: Int) throws -> StartupReport {
        let registry = try InstalledPlugins.registry(wanting: [settings.id])
        let component = try registry.component(named: settings.id)
        let progress = ProgressLine("Starting")
        var starts: [Startup] = []
        // The first start warms the files of the plug-in, and does not count.
        for index in -1..<count {
            try Interruption.check()
            let start = try Startup(component, frameCount: settings.frameCounts[0])
            if index >= 0 { starts.append(start) }
            progress.show(Double(index + 1) / Double(count))
        }
        progress.finish()
        return StartupReport(component.id, starts)
    }

    init(_ unit: String, _ all: [Startup]) {
        let times = Distribution(all.map(\.microseconds))
        self.unit = unit
        starts = all.count
        p50ms = Double(times.percentile(0.5)) / 1000
        p99ms = Double(times.percentile(0.99)) / 1000
        maxms = Double(times.percentile(1)) / 1000
        privateKiB = Distribution(all.map(\.memory.privateKiB)).median
        unsharedFileKiB = Distribution(all.map(\.memory.unsharedFileKiB)).median
        proportionalKiB = Distribution(all.map(\.memory.proportionalKiB)).median
        isWithinTargets = p50ms <= Self.targetMilliseconds && privateKiB <= Self.targetPrivateKiB
    }

    private static func mebibytes(_ kibibytes: Double) -> String { "\((kibibytes / 1024).digits(2)) MiB" }

    var text: String {
        let rows = [
            ["to the first block, median", "\(p50ms.digits(2)) ms", "at most \(Self.targetMilliseconds.digits(0)) ms"],
            ["99th percentile", "\(p99ms.digits(2)) ms", ""],
            ["longest", "\(maxms.digits(2)) ms", ""],
            ["private memory (written to)", Self.mebibytes(privateKiB), "at most \(Self.mebibytes(Self.targetPrivateKiB))"],
            ["code that no other process has mapped", Self.mebibytes(unsharedFileKiB), ""],
            ["proportional memory (PSS)", Self.mebibytes(proportionalKiB), ""],
        ]
        let table = Table(headings: ["\(unit), \(starts) starts", "measured", "wanted"]).text(rows)
        return isWithinTargets ? table : "\(table)\n\nThat is more than wanted."
    }
}

/// One start of one unit.
struct Startup {
    let microseconds: UInt32
    let memory: ProcessMemory

    /// Starts a unit, renders a block, looks at its memory, and ends it.
    init(_ component: Component, frameCount: Int) throws {
        let measure = ChainMeasure(effects: .copies(of: component), maximumFrameCount: frameCount)
        let started = MonotonicClock.now()
        let chain = try MeasuredChain(measure, effectCount: 1, MeasureVariant())
        chain.probe(frameCount: frameCount).run(hostTime: started)
        microseconds = UInt32(clamping: (MonotonicClock.now() - started) / 1000)
        guard let process = chain.chain.members[0].unit.processIdentifier else {
            throw CommandError.failed("Couldn't measure the start of \"\(component.name)\": it has no process.")
        }
        memory = try ProcessMemory(process)
    }
}
