// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders one file through a chain into another, as a command line asks for it. Main thread.

import AudioFiles
import AudioGraph
import Console
import PluginHosting
import Rendering

/// How a file is rendered, whichever file it is.
struct FileRender {
    private(set) var chain = ChainArguments()
    private var policy = PolicyArguments()
    private(set) var offline = OfflineArguments()
    var reportPath: String? { offline.reportPath }
    private(set) var tracePath: String?

    static var table: [OptionReader<Self>] {
        (ChainArguments.table + ChainArguments.instrumentTable).lifted(to: \.chain, section: ChainArguments.section)
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
    /// What is known of a rendering before anything about it is a failure.
    struct Facts {
        let report: Report
        /// The length of the output.
        let seconds: Double
    }

    /// Renders `input` into `output`.
    ///
    /// `observe` is called when all is rendered, and before what went wrong is thrown.
    func run(_ input: String, into output: String, observe: (Facts) -> Void = { _ in }) throws {
        if MIDISongFile.isMIDI(input) { return try runSong(input, into: output, observe: observe) }
        let source = try AudioFileReader(path: input, takesPipes: true)
        try prepare(input, output)
        let format = AudioFormat(
            sampleRate: source.format.sampleRate, channelCount: source.format.channelCount, layout: source.format.channelLayout)
        let engine = AudioEngine()
        let input = FileInput(source)
        let graph = try graph(for: output, format, on: engine) {
            engine.inputNode.setManualRenderingInputPCMFormat(format) { input.fill($0) }
        }
        try render(graph, input, format, into: output, like: source, observe)
    }

    /// Looks at the paths, and begins a trace.
    func prepare(_ input: String, _ output: String) throws {
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath, tracePath], RenderCommand.usage)
        try tracePath.map { (path) in try TraceFile(path: path) }?.begin()
    }

    /// Renders connected effects into a file, and tells what there is to tell.
    func render(
        _ effects: BuiltGraph, _ source: some OfflineSource, _ format: AudioFormat, into output: String,
        like reader: AudioFileReader?,
        _ observe: (Facts) -> Void
    ) throws {
        try effects.engine.start()
        // No real-time rank: no driver waits.
        for chain in effects.engine.rows { chain.place(processor: nil, below: .ordinary) }
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: reader,
            wishes: offline.wishes)
        let render = OfflineRender(
            effects: effects, output: output, format: format, blockSize: offline.blockSize, tailSeconds: offline.tailSeconds,
            onFault: offline.onFault)
        let findings = try render.run(source, into: file)
        let report = report(effects, format.sampleRate, findings)
        if let reportPath { try report.write(to: reportPath) }
        observe(Facts(report: report, seconds: Double(file.writer.frameCount) / file.writer.sampleRate))
        try render.faults.complain(of: effects)
        try findings.complain(ofFile: output, isStrict: offline.isStrict)
    }

    /// The effects to render with, and what of them there is to know before anything is rendered.
    ///
    /// Throws when one is missing or quarantined: a file that lacks it must not pass for one with it.
    func requested(for output: String, asking: Bool = true) throws -> (arguments: ChainArguments, registry: ComponentRegistry) {
        let (arguments, registry) = try chain.completed(asking: asking)
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        return (arguments, registry)
    }

    /// The chain as a graph, on an engine that is rendered by hand; `connectInput` gives the engine what it hears.
    func graph(
        for output: String, _ format: AudioFormat, on engine: AudioEngine, playedBy source: ChainSource = .sound,
        _ songs: [MIDISongFile] = [], connectInput: () -> Void = {}
    ) throws -> BuiltGraph {
        let (arguments, registry) = try requested(for: output)
        if let song = songs.first { try arguments.checkInstruments(of: "\"\(song.path)\" is MIDI", in: registry) }
        try arguments.checkMIDIOptions(in: registry)
        let started = try arguments.instantiate(from: registry, sampleRate: format.sampleRate)
        var policy = self.policy.offlinePolicy
        offline.onFault.apply(to: &policy)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: offline.blockSize)
        connectInput()
        // A unit renders ahead only if it is waited for. Else one that dies in a block would be missing in the next one too.
        // Behind a mix of instruments that render ahead, an effect would begin later by as much, and so sound otherwise.
        let instrumentCount = started.count { AudioUnitMIDIInstrument.plays($0.component) }
        let isPipelined = !offline.isSerial && instrumentCount < 2 && OfflineRender.isWorthPipelining(started)
        engine.setPolicy(policy, isPipelined: isPipelined, rendersAhead: offline.onFault == .retry)
        let (document, units) = try arguments.graph(of: started, leftOut: [], playedBy: source)
        let graph = try document.build(into: engine, starting: units, songs: songs, at: .own(of: engine, format: format))
        try engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
        graph.play()
        return graph
    }

    private func report(_ chain: BuiltGraph, _ sampleRate: Double, _ findings: [RenderFinding]) -> Report {
        let statistics = chain.engine.statistics
        return Report(
            command: RenderCommand.name, sampleRate: sampleRate, quantum: offline.blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: chain),
            findings: findings)
    }
}
