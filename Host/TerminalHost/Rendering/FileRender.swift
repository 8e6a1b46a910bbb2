// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one file through a chain into another, by the options of a command line. Main thread.

import AudioFiles
import AudioGraph
import Console
import GraphDocuments
import PluginHosting
import Rendering

/// The options for rendering, for any file.
struct FileRender {
    private(set) var chain = ChainArguments()
    private var policy = PolicyArguments()
    private(set) var offline = OfflineArguments()
    private(set) var song = SongArguments()
    var reportPath: String? { offline.reportPath }
    private(set) var tracePath: String?

    static var table: [OptionReader<Self>] {
        (ChainArguments.table + ChainArguments.instrumentTable).lifted(to: \.chain, section: ChainArguments.section)
            + SongArguments.table.lifted(to: \.song, section: SongArguments.section)
            + PolicyArguments.table.lifted(to: \.policy) + OfflineArguments.table(words).lifted(to: \.offline) + ownTable
    }

    private static let words = OfflineArguments.Words(
        end: "IN", tail: "as long as the effects sound", serial: "Render one effect after the other",
        serialDefault: "all at once, each another block", encoding: "as in IN, where the format of OUT can",
        rate: "that of IN; 48000 for MIDI")

    private static var ownTable: [OptionReader<Self>] {
        [
            .text(
                "--trace", "FILE", offering: .file,
                "Write each message, request and event between host and plug-in as a line; as JSON if FILE ends in .json"
            ) { $0.tracePath = $1 }
        ]
    }
}

extension FileRender {
    /// The facts about a rendering, before its failures.
    struct Facts {
        let report: Report
        /// The length of the output in seconds.
        let seconds: Double
    }

    /// Renders `input` into `output`.
    ///
    /// `observe` is called after rendering, before an error is thrown.
    func run(_ input: String, into output: String, observe: (Facts) -> Void = { _ in }) throws {
        if MIDISongFile.isMIDI(input, takesPipes: true) { return try runSong(input, into: output, observe: observe) }
        if let option = song.option {
            throw CommandError.usage("\(option) is for MIDI files, and \"\(input)\" is none.", command: RenderCommand.name)
        }
        let source = try AudioFileReader(path: input, takesPipes: true)
        try prepare(input, output)
        let format = AudioFormat(
            sampleRate: source.format.sampleRate, channelCount: source.format.channelCount, layout: source.format.channelLayout)
        let started = try startedChain(for: output, format.sampleRate)
        let session = try OfflineSession(into: output, format, blockSize: offline.blockSize)
        let input = FileInput(source)
        session.engine.inputNode.setManualRenderingInputPCMFormat(format) { input.fill($0) }
        try render(try started.graph(in: session), input, in: session, like: source, observe)
    }

    /// Checks the paths, and begins a trace.
    func prepare(_ input: String, _ output: String) throws {
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath, tracePath], RenderCommand.usage)
        try tracePath.map { (path) in try TraceFile(path: path) }?.begin()
    }

    /// Renders connected effects into a file, and prints the messages about it.
    func render(
        _ graph: BuiltGraph, _ source: some OfflineSource, in session: OfflineSession, like reader: AudioFileReader?,
        _ observe: (Facts) -> Void
    ) throws {
        try session.start(graph, rules(of: graph))
        let (output, format) = (session.output, session.format)
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: reader,
            wishes: offline.wishes)
        let findings = try session.render(
            source, through: graph, tailSeconds: offline.tailSeconds, onFault: offline.onFault, into: file)
        let report = session.report(graph, command: RenderCommand.name, findings)
        if let reportPath { try report.write(to: reportPath) }
        observe(Facts(report: report, seconds: Double(file.writer.frameCount) / file.writer.sampleRate))
        try RenderFaults(output: output, answer: offline.onFault).complain(of: graph)
        try findings.complain(ofFile: output, isStrict: offline.isStrict)
    }

    /// The treatment of a chain's units.
    private func rules(of graph: BuiltGraph) -> OfflineSession.Rules {
        // Behind a mix of instruments that render ahead, an effect would start later by that time, and so sound different.
        let units = graph.units.map(\.unit.hosted)
        let instrumentCount = units.count { AudioUnitMIDIInstrument.plays($0.component) }
        return offline.rules(policy, of: units, mayPipeline: instrumentCount < 2)
    }

    /// The effects to render with, checked before rendering.
    ///
    /// Throws if one is missing or quarantined: a file without it must not look like one with it.
    func requested(for output: String, asking: Bool = true) throws -> (arguments: ChainArguments, registry: ComponentRegistry) {
        let (arguments, registry) = try chain.completed(asking: asking)
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        return (arguments, registry)
    }

    /// Starts the units of the chain.
    func startedChain(
        for output: String, _ sampleRate: Double, playedBy source: ChainSource = .sound, _ songs: [MIDISongFile] = []
    ) throws -> StartedChain {
        var (arguments, registry) = try requested(for: output)
        if let song = songs.first { arguments = try arguments.divided(byPortsOf: song, in: registry) }
        if let song = songs.first { try arguments.checkInstruments(of: "\"\(song.path)\" is MIDI", in: registry) }
        try arguments.checkMIDIOptions(in: registry)
        let units = try arguments.instantiate(from: registry, sampleRate: sampleRate)
        return StartedChain(arguments: arguments, units: units, source: source, songs: songs)
    }

    /// A chain with its started units, and its source.
    struct StartedChain {
        let arguments: ChainArguments
        let units: [HostedUnit]
        let source: ChainSource
        let songs: [MIDISongFile]

        /// Makes the graph, connected to the output.
        func graph(in session: OfflineSession) throws -> BuiltGraph {
            let (engine, format) = (session.engine, session.format)
            let (document, units) = try arguments.graph(of: units, leftOut: [], playedBy: source)
            let graph = try document.build(into: engine, starting: units, songs: songs, at: .own(of: engine, format: format))
            try engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
            return graph
        }
    }
}
