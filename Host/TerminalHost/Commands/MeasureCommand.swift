// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead measure: what running out of process costs on this machine. Main thread.

import AudioUnits
import PluginHosting

struct MeasureCommand: Command {
    static let name = "measure"
    static let summary = "measures what running out of process costs on this machine"
    static let synopsis = "[--effects N[,N…]] [--frames N[,N…]] [--cycles N] [--period US] [-e ID | --chain NAME] …"
    static let options = [
        Option("--effects", "N[,N…]", "effects in a chain; one number N measures 1 and N; 1 without it"),
        Option("--frames", "N[,N…]", "frames a cycle; 32,64,128,256,1024 without it"),
        Option("--cycles", "N", "cycles of each kind; 20000 without it"),
        Option("--period", "US", "leave a rest between cycles, as a driver does: microseconds from start to start"),
        Option("-e", "ID", "the effect, which has to consent to running in process; Gain without it"),
        Option("--chain", "NAME", "the effects of a saved chain instead, which all have to consent; its automation rests"),
        Option("--skip-missing", nil, "leave out what the saved chain names and is not installed"),
        Option(
            "--isolation", "POLICY", "out of process: individually, by-plugin, by-manufacturer or together; each alone without it"),
        Option("--processor", "P", "where all threads run: a number, or any; the last one without it"),
        Option("--startup", "N", "measure instead how long a unit takes to start, and its memory: N times"),
        Option("--json", nil, "print the figures as JSON"),
    ]
    static let details = """
        The chain's render call is timed in process and out of process, in turn with the floor: a bare futex
        hand-off there and back between two processes. For a quiet real-time rank: ulimit -r 95.
        """

    private var settings = MeasureSettings()
    private var isJSON = false
    private var isFloorPeer = false

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            if try settings.take(word, &arguments) { continue }
            switch word {
            case "--json": isJSON = true
            case FloorPeer.argument: isFloorPeer = true
            default: throw arguments.unknown(word, among: Self.options)
            }
        }
        if !settings.chain.isEmpty, let word = settings.wordsAboutCopies.first {
            throw arguments.usage("--chain stands for the effects; leave \(word) out.")
        }
    }

    func run() throws {
        if isFloorPeer { try FloorPeer.serve() }
        if let count = settings.startupCount { return try measureStartup(count) }
        let measurement = try Measurement(settings)
        let rank = try measurement.run()
        let report = MeasureReport(measurement, settings, rank: rank)
        Terminal.print(isJSON ? try Terminal.json(report) : MeasureTable(report, measurement).text)
    }

    private func measureStartup(_ count: Int) throws {
        let report = try StartupReport.measure(settings, count: count)
        Terminal.print(isJSON ? try Terminal.json(report) : report.text)
    }
}
