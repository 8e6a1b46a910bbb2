// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead graph: renders, plays, checks and shows graphs of nodes in files. Main thread.

import AudioFiles
import AudioGraph
import Console
import PluginHosting

struct GraphCommand: Command {
    static let name = "graph"
    static let summary = "renders, plays, checks and shows graphs of nodes in files"
    static let synopsis = "render FILE OUT | play FILE | check FILE | show FILE [--svg PICTURE] [--json] | schema"
    static let operands = [
        Operand("ACTION", .choice(Action.allCases.map(\.rawValue))),
        Operand("FILE", .file, actions: ["render", "play", "check", "show"]), Operand("OUT", .file, actions: ["render"]),
    ]
    static var table: [OptionReader<Self>] {
        let allow = ChainArguments.table.filter { $0.option.name == "--allow" }.lifted(to: \Self.chain)
        return allow.map { $0.limited(to: "render", "play", "check") } + renderTable.map { $0.limited(to: "render") }
            + (DriverArguments.table.lifted(to: \.driver) + SoundArguments.recordTable.lifted(to: \.sound) + playTable).map {
                $0.limited(to: "play")
            }
            + showTable.map { $0.limited(to: "show") }
    }

    private static var renderTable: [OptionReader<Self>] {
        [
            .text("--input", "IN", offering: .file, "Play this file into the graph's input") { $0.inputPath = $1 },
            .text("--input-bus", "NAME=FILE", "Play FILE into the input's bus NAME; once for each bus") { $0.busWishes.append($1) },
            .text("--output-bus", "NAME=FILE", "Write the output's bus NAME into FILE; once for each bus") {
                $0.outputWishes.append($1)
            },
        ] + OfflineArguments.table(words).lifted(to: \.offline)
    }

    private static let words = OfflineArguments.Words(
        end: "the graph", tail: "none where the graph has a length, and else as long as the effects sound",
        serial: "Render effects that follow each other one after the other", serialDefault: "all at once",
        encoding: "as in IN, or as usual in such a file", rate: "that of the graph")

    private static var playTable: [OptionReader<Self>] {
        [
            .number("--duration", "S", in: 0.01...1e6, "Stop after S seconds") { $0.duration = $1 },
            .text("--output", "NODE", "Play to this PipeWire sink", default: "the default sink") { $0.driver.output = $1 },
            .flag("--plain", "Show how far it is in place of the screen") { $0.isPlain = true },
        ]
    }

    private static var showTable: [OptionReader<Self>] {
        [
            .text("--svg", "PICTURE", offering: .file, "Draw the graph into this file instead") { $0.picturePath = $1 },
            .flag("--json", "Print the graph as JSON, as Bulkhead writes it") { $0.isJSON = true },
        ]
    }
    static let details = """
        A graph is a text file that names players, mixers, effects and their connections; bulkhead-graph(5) describes it. A saved
        chain is a graph, too: its effects stand between the input and the output.

        `render` renders the graph into OUT, whose name's end chooses the format. `play` plays it to its end, or until Ctrl-C. On a terminal
        a screen opens, on which the graph is built and played; see bulkhead-screen(7). With `--record` `play` also writes what is heard into
        a file, which is complete up to the last second even if the command is killed.
        `check` opens all files, starts all effects and says what is wrong. `show` prints the nodes in the order of the sound.
        `schema` prints the JSON schema of the format.

        The exit status of `render` is 0 if all of the graph was rendered as the file says. A file that is cut short, or an effect
        that keeps failing, makes it 1.
        """
    static let examples = [
        "check song.json", "render song.json song.flac --report report.json", "play song.json --duration 30",
        "show song.json --svg song.svg",
    ]

    private enum Action: String, CaseIterable { case render, play, check, show, schema }

    private var action = Action.check
    private var files: [String] = []
    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var sound = SoundArguments()
    private var inputPath: String?
    private var busWishes: [String] = []
    private var outputWishes: [String] = []
    private var offline = OfflineArguments()
    private var duration: Double?
    private var isPlain = false
    private var picturePath: String?
    private var isJSON = false

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) { action = try arguments.action(Action.self) }

    mutating func take(_ operand: String) -> Bool {
        files.append(operand)
        return files.count <= (action == .render ? 2 : action == .schema ? 0 : 1)
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard action == .schema || !files.isEmpty else { throw arguments.usage("Say which file holds the graph.") }
        guard action != .render || files.count == 2 else { throw arguments.usage("Say which file to write.") }
        guard driver.kind == .pipewire || driver.output == nil else {
            throw arguments.usage("--output names a PipeWire sink; leave it or --driver null out.")
        }
        guard picturePath == nil || !isJSON else { throw arguments.usage("--svg and --json are two ways to show; leave one out.") }
    }

    func run() throws {
        switch action {
        case .render: try render()
        case .play: try play()
        case .check: try GraphCheck(path: files[0], allowances: chain.allowances.asking).run()
        case .show: try show()
        case .schema: Terminal.print(GraphSchema.text)
        }
    }

    private func play() throws {
        let setup = try setup()
        try OutputFiles(inputs: [files[0]] + setup.document.namedFiles).check([sound.recordPath], Self.usage)
        let session = try session(setup)
        let display = GraphDisplay(session.session, title: "Playing \(FilePath.name(of: setup.path))", isPlain: isPlain)
        defer { display.finish() }
        for sentence in session.chain.midiDamage + session.chain.mixedPorts { display.say(sentence) }
        for warning in setup.document.warnings { display.say(warning) }
        let result = Result { try GraphLoop(session: session, display: display, durationSeconds: duration).run() }
        session.stop()
        let recorded = Result { try session.finishRecording() }
        try result.get()
        try recorded.get()
        try session.chain.complainOfUnderruns(sampleRate: session.driver.status.sampleRate)
    }

    /// Starts a session that plays the graph.
    private func session(_ setup: GraphSetup) throws -> RealtimeSession {
        let document = setup.document
        let channelCount = document.channelCount ?? 2
        let layout = channelCount > 2 ? try document.firstFileLayout(of: channelCount) : nil
        let ports =
            document.readsInput && driver.kind == .pipewire
            ? driver.insert(channelCount: channelCount)
            : driver.player(
                channelCount: channelCount, sampleRate: try document.sampleRate ?? document.firstFileRate() ?? 48_000,
                layout: layout)
        return try RealtimeSession(
            driver: ports, .graph(setup), source: .graph, channelCount: channelCount, layout: layout,
            .init(sound: sound, name: Self.name))
    }

    private func setup() throws -> GraphSetup { try GraphSetup(path: files[0], allowances: chain.allowances.asking) }

    private func render() throws {
        let setup = try setup()
        let document = setup.document
        let busPaths = try BusFiles.paths(busWishes, of: document.inputBuses, "input", setup.path)
        let outputPaths = try BusFiles.paths(outputWishes, of: document.outputBuses, "output", setup.path)
        let inputs = [files[0]] + document.namedFiles + [inputPath].compactMap(\.self) + busPaths.values.sorted()
        try OutputFiles(inputs: inputs).check([files[1], offline.reportPath] + outputPaths.values.sorted(), Self.usage)
        let render = GraphRender(
            setup: setup, output: files[1], inputPath: inputPath, busWishes: busWishes, outputWishes: outputWishes, offline: offline
        )
        try render.run()
    }

    private func show() throws {
        let document = try GraphSetup.document(files[0])
        if isJSON { return Terminal.print(try Terminal.json(document)) }
        guard let picturePath else {
            return Terminal.print(lines: GraphPage(FilePath.name(of: files[0]), document).lines)
        }
        try OutputFiles(inputs: [files[0]] + document.namedFiles).check([picturePath], Self.usage)
        try ReplacementFile.replace(picturePath, with: GraphPicture(FilePath.name(of: files[0]), document).text)
    }
}
