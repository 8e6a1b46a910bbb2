// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The time from the start of a unit to its first block, and the memory of its process. Main thread.

import Console
import LinuxSystem
import PluginHosting
import Rendering

/// The facts of `--startup`, as `--json` prints them.
package struct StartupReport: Encodable {
    static let targetMilliseconds = 3.0
    static let targetPrivateKiB = 800.0
    /// The number of units for `targetMillisecondsOfMany`.
    static let manyUnits = 64
    static let targetMillisecondsOfMany = 100.0

    let unit: String
    let starts: Int
    /// The number of units that were started at once, each time.
    let atOnce: Int
    /// The milliseconds from the call that instantiates to the end of the first render call.
    let p50ms, p99ms, maxms: Double
    /// The memory of a unit, medians over all starts; see `ProcessMemory`.
    let privateKiB, unsharedFileKiB, proportionalKiB: Double
    let isWithinTargets: Bool

    /// Starts `component` `count` times.
    package static func measure(_ component: Component, _ settings: MeasureSettings, count: Int) throws -> StartupReport {
        let progress = ProgressLine("Starting")
        var starts: [Startup] = []
        // The first start brings the plug-in's files into the page cache, and does not count.
        for index in -1..<count {
            try Interruption.check()
            let start = try Startup(component, count: settings.startedAtOnce, frameCount: settings.frameCounts[0])
            if index >= 0 { starts.append(start) }
            progress.show(Double(index + 1) / Double(count))
        }
        progress.finish()
        return StartupReport(component.id, starts, atOnce: settings.startedAtOnce)
    }

    init(_ unit: String, _ all: [Startup], atOnce: Int) {
        let times = Distribution(all.map(\.microseconds))
        self.unit = unit
        starts = all.count
        self.atOnce = atOnce
        p50ms = Double(times.percentile(0.5)) / 1000
        p99ms = Double(times.percentile(0.99)) / 1000
        maxms = Double(times.percentile(1)) / 1000
        privateKiB = Distribution(all.map(\.memory.privateKiB)).median
        unsharedFileKiB = Distribution(all.map(\.memory.unsharedFileKiB)).median
        proportionalKiB = Distribution(all.map(\.memory.proportionalKiB)).median
        isWithinTargets = p50ms <= Self.targetMilliseconds(atOnce: atOnce) ?? .infinity && privateKiB <= Self.targetPrivateKiB
    }

    /// The target for a number of units at once; nil if there is none.
    private static func targetMilliseconds(atOnce: Int) -> Double? {
        switch atOnce {
        case 1: targetMilliseconds
        case manyUnits: targetMillisecondsOfMany
        default: nil
        }
    }

    private static func mebibytes(_ kibibytes: Double) -> String { "\((kibibytes / 1024).digits(2)) MiB" }

    package var text: String {
        let rows = [
            [
                "to the first block, median", "\(p50ms.digits(2)) ms",
                Self.targetMilliseconds(atOnce: atOnce).map { "at most \($0.digits(0)) ms" } ?? "",
            ],
            ["99th percentile", "\(p99ms.digits(2)) ms", ""],
            ["longest", "\(maxms.digits(2)) ms", ""],
            ["private memory (written to)", Self.mebibytes(privateKiB), "at most \(Self.mebibytes(Self.targetPrivateKiB))"],
            ["code that no other process has mapped", Self.mebibytes(unsharedFileKiB), ""],
            ["proportional memory (PSS)", Self.mebibytes(proportionalKiB), ""],
        ]
        let table = Table(headings: ["\(unit), \(starts) starts\(atOnce > 1 ? " of \(atOnce) at once" : "")", "measured", "target"])
            .text(rows)
        return isWithinTargets ? table : "\(table)\n\nThis misses the target."
    }
}

/// One start of one unit or of several.
struct Startup {
    let microseconds: UInt32
    let memory: ProcessMemory

    /// Starts units, renders a block with all of them, reads their memory use and ends them.
    init(_ component: Component, count: Int, frameCount: Int) throws {
        let measure = ChainMeasure(effects: .copies(of: component), maximumFrameCount: frameCount, countsThreads: false)
        let started = MonotonicClock.now()
        let chain = try MeasuredChain(measure, effectCount: count, MeasureVariant())
        chain.probe(frameCount: frameCount).run(hostTime: started)
        microseconds = UInt32(clamping: (MonotonicClock.now() - started) / 1000)
        let processes = chain.members.compactMap(\.unit.processIdentifier)
        guard processes.count == count else {
            throw MeasurementError.noProcess(component.name)
        }
        memory = ProcessMemory(meanOf: try processes.map(ProcessMemory.init))
    }
}
