// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead measure: the cost of isolation on this machine. Main thread.

import AudioUnits
import Console
import Measuring
import PluginHosting

struct MeasureCommand: Command {
    /// The form of the printed figures.
    fileprivate enum Form { case table, json, csv }

    static let name = "measure"
    static let summary = "measures the cost of isolation on this machine"
    static let synopsis = "[--effects N[,N…]] [--frames N[,N…]] [--cycles N] [--plot FILE] [-e ID | --chain NAME] …"
    static var table: [OptionReader<Self>] { MeasureArguments.table.lifted(to: \.measure) + ownTable }

    private static var ownTable: [OptionReader<Self>] {
        [
            .flag("--json", "Print the figures as JSON") { try $0.take(.json, "--json") },
            .flag("--csv", "Print the rows as comma-separated values") { try $0.take(.csv, "--csv") },
            .text("--plot", "FILE", offering: .file, "Also draw the distributions and the costs, to FILE.svg or FILE.png") {
                $0.plot = try Self.plot($1)
            },
            .integer("--graph", "N", in: 1...50_000, "Measure the engine's graph instead: N players, and edits") {
                $0.graphPlayers = $1
            },
            .flag("--space", "Measure sources that a head hears instead, beside OpenAL Soft") { $0.isOfSpace = true },
            OptionReader.flag(FloorRing.option, "Be a peer of the floor") { $0.isFloorPeer = true }.hidden,
        ]
    }
    static let details = """
        The command times the chain's render call in process and out of process. In turn with that it times the floor: a bare
        futex hand-off to another process and back. For a chain it also times a bare ring of as many processes. It measures
        each combination of isolation, placement and waiting. An effect that you have not trusted with the host's process is
        measured out of process alone; the command says so, and its exit status is 1.

        It counts sleeps, page faults and system calls of all threads that take part, for each cycle. Counting system calls
        needs tracefs to be mounted. `ulimit -r 95` permits a real-time rank, for quiet figures.
        """
    static let examples = ["", "--effects 16 --frames 64 --plot chain.svg", "--startup 100", "--graph 1000", "--space"]

    private(set) var measure = MeasureArguments()
    private var form = Form.table
    private var isFloorPeer = false
    private var plot: PlotFile?
    /// The players of the graph to measure; nil to measure isolation.
    private var graphPlayers: Int?
    private var isOfSpace = false

    mutating func finish(_ arguments: Arguments) throws(CommandError) {
        if measure.settings.startupCount != nil {
            if form == .csv { throw arguments.usage("--startup has no rows: leave --csv out, or ask for --json.") }
            if plot != nil { throw arguments.usage("--startup has no plot: leave --plot out.") }
        }
        if graphPlayers != nil {
            if form == .csv { throw arguments.usage("--graph has no rows: leave --csv out, or ask for --json.") }
            if plot != nil { throw arguments.usage("--graph has no plot: leave --plot out.") }
            if measure.settings.startupCount != nil {
                throw arguments.usage("Measure one thing at a time: leave --graph or --startup out.")
            }
        }
        if isOfSpace {
            if form == .csv { throw arguments.usage("--space has one table: leave --csv out, or ask for --json.") }
            if plot != nil { throw arguments.usage("--space has no plot: leave --plot out.") }
            if graphPlayers != nil || measure.settings.startupCount != nil {
                throw arguments.usage("Measure one thing at a time: leave --space or the other option out.")
            }
        }
        try measure.finish(arguments)
    }

    func run() throws {
        if isFloorPeer { try FloorRing.serve() }
        let settings = measure.settings
        if let graphPlayers {
            let report = try GraphReport.measure(players: graphPlayers)
            return Terminal.print(form == .json ? try Terminal.json(report) : report.text)
        }
        if isOfSpace {
            let report = try SpaceReport.measure()
            return Terminal.print(form == .json ? try Terminal.json(report) : report.text)
        }
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
        // The results are printed first; a missing one is a failure.
        if let obstacle = results.obstacle { throw obstacle }
    }

    private mutating func take(_ form: Form, _ option: String) throws(CommandError) {
        guard self.form == .table || self.form == form else {
            throw Self.usage("The figures are printed once: leave \(option) or the other form out.")
        }
        self.form = form
    }

    private static func plot(_ path: String) throws(CommandError) -> PlotFile {
        if let file = PlotFile(path: path) { return file }
        throw usage("--plot takes the name of a file that ends in .svg or .png, not \"\(path)\".")
    }

    private func measureStartup(_ count: Int) throws {
        let report = try StartupReport.measure(try measure.component(), measure.settings, count: count)
        Terminal.print(form == .json ? try Terminal.json(report) : report.text)
    }
}
