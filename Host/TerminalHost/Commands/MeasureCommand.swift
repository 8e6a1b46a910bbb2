// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead measure: what running out of process costs on this machine. Main thread.

import AudioUnits
import Console
import Measuring
import PluginHosting

struct MeasureCommand: Command {
    /// How the figures are printed.
    private enum Form { case table, json, csv }

    static let name = "measure"
    static let summary = "measures what running out of process costs on this machine"
    static let synopsis = "[--effects N[,N…]] [--frames N[,N…]] [--cycles N] [--plot FILE] [-e ID | --chain NAME] …"
    static let options = [
        Option(
            "--effects", "N[,N…]", "effects in a chain, 1024 at most; one number N measures 1 and N, branches aside; 1 without it"),
        Option("--branches", "N", "so many such chains side by side, which are mixed; 1 without it"),
        Option("--frames", "N[,N…]", "frames a cycle; 32,64,128,256,1024 without it"),
        Option("--cycles", "N", "cycles of each kind; 20000 without it"),
        Option("--period", "US", "leave a rest between cycles, as a driver does: microseconds from start to start"),
        Option("-e", "ID", "the effect, which has to consent to running in process; Gain without it"),
        Option("--chain", "NAME", "the effects of a saved chain instead, which all have to consent; its automation rests"),
        Option("--skip-missing", nil, "leave out what the saved chain names and is not installed"),
        Option(
            "--isolation", "P[,P…]", "out of process: individually, by-plugin, by-manufacturer or together; each alone without it"),
        Option(
            "--placement", "P[,P…]",
            "where effects render: together (where the measuring thread runs), spread (on the others) or branches (each branch on one "
                + "processor after another); together without it"),
        Option(
            "--waiting", "W[,W…]",
            "how effects elsewhere are waited for: futex (asleep), adaptive (looking first), or spin; adaptive without it"),
        Option("--processor", "P", "where all threads run but those of spread effects: a number, or any; the last one without it"),
        Option("--startup", "N", "measure instead how long a unit takes to start, and its memory: N times"),
        Option("--at-once", "N", "units that are started at once, with --startup; 1 without it"),
        Option("--json", nil, "print the figures as JSON"),
        Option("--csv", nil, "print the rows as comma-separated values"),
        Option("--plot", "FILE", "draw the distributions and the costs, too: FILE.svg or FILE.png"),
    ]
    static let details = """
        The chain's render call is timed in process and out of process, in turn with the floor: a bare futex
        hand-off there and back between two processes, and for a chain the bare ring of as many. Of policies,
        placements and ways to wait every combination is measured. Sleeps, page faults and system calls of all
        threads that take part are counted a cycle; for the calls mount tracefs. For a quiet real-time rank:
        ulimit -r 95.
        """

    private var measure = MeasureArguments()
    private var form = Form.table
    private var isFloorPeer = false
    private var plot: PlotFile?

    init(_ arguments: inout Arguments) throws {
        while let word = arguments.next() {
            if try measure.take(word, &arguments) { continue }
            switch word {
            case "--json": try take(.json, word, arguments)
            case "--csv": try take(.csv, word, arguments)
            case "--plot": plot = try Self.plot(word, &arguments)
            case FloorRing.option: isFloorPeer = true
            default: throw arguments.unknown(word, among: Self.options)
            }
        }
        let settings = measure.settings
        if form == .csv, settings.startupCount != nil {
            throw arguments.usage("--startup has no rows: leave --csv out, or ask for --json.")
        }
        if settings.startedAtOnce > 1, settings.startupCount == nil {
            throw arguments.usage("--at-once says how many units --startup starts; say that, too.")
        }
        if settings.branchCount > 1, settings.startupCount != nil {
            throw arguments.usage("--startup starts units by themselves: leave --branches out.")
        }
        if plot != nil, settings.startupCount != nil { throw arguments.usage("--startup has no plot: leave --plot out.") }
        if !measure.chain.isEmpty, let word = measure.optionsAboutCopies.first {
            throw arguments.usage("--chain stands for the effects; leave \(word) out.")
        }
    }

    func run() throws {
        if isFloorPeer { try FloorRing.serve() }
        let settings = measure.settings
        if let count = settings.startupCount { return try measureStartup(count) }
        try plot?.check()
        try settings.checkPlacements()
        let results = try Measurement(settings, of: try measure.effects()).run()
        let report = MeasureReport(results, settings)
        switch form {
        case .table: Terminal.print(MeasureTable(report, results).text)
        case .json: Terminal.print(try Terminal.json(report))
        case .csv: Terminal.print(MeasureCSV(rows: report.rows).text)
        }
        let remarks = [MeasureTable(report, results).conditions, report.verdict]
        try plot?.write(PlotData(report, results, remarks: remarks))
    }

    private mutating func take(_ form: Form, _ word: String, _ arguments: Arguments) throws(CommandError) {
        guard self.form == .table || self.form == form else {
            throw arguments.usage("The figures are printed once: leave \(word) or the other form out.")
        }
        self.form = form
    }

    private static func plot(_ option: String, _ arguments: inout Arguments) throws(CommandError) -> PlotFile {
        let path = try arguments.value(of: option)
        if let file = PlotFile(path: path) { return file }
        throw arguments.usage("\(option) takes the name of a file that ends in .svg or .png, not \"\(path)\".")
    }

    private func measureStartup(_ count: Int) throws {
        let report = try StartupReport.measure(try measure.component(), measure.settings, count: count)
        Terminal.print(form == .json ? try Terminal.json(report) : report.text)
    }
}
