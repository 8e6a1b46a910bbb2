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
    private var onFault = FaultAnswer.retry
    /// Long blocks need the fewest hand-offs.
    private var blockSize = 8192
    private var isSerial = false
    private var tailSeconds: Double?
    private var isStrict = false
    private var wishes = RenderedFile.Wishes()
    private(set) var reportPath: String?
    private(set) var tracePath: String?

    static var table: [OptionReader<Self>] {
        ChainArguments.table.lifted(to: \.chain, section: ChainArguments.section) + PolicyArguments.table.lifted(to: \.policy)
            + ownTable
    }

    private static var ownTable: [OptionReader<Self>] {
        [
            .integer("--block-size", "N", in: 1...8192, "Frames in a block, from 1 to 8192", default: "8192") {
                $0.blockSize = $1
            },
            .number(
                "--tail", "SECONDS", in: 0...3600, "Go on for so long after the end of IN",
                default: "as long as the effects sound"
            ) { $0.tailSeconds = $1 },
            .flag("--serial", "Render one effect after the other", default: "all at once, each another block") {
                $0.isSerial = true
            },
            .choice(
                "--on-fault", "ANSWER", among: FaultAnswer.allCases,
                "What becomes of a block whose effect fails: retry, bypass or stop", default: "retry"
            ) { $0.onFault = $1 },
            .choice(
                "--format", "SAMPLES", among: SampleEncoding.allCases, "How samples are stored",
                default: "as in IN, where the format of OUT can"
            ) { $0.wishes.encoding = $1 },
            .number("--rate", "HZ", in: AudioFileFormat.sampleRates, "The sample rate of OUT", default: "that of IN") {
                $0.wishes.sampleRate = $1
            },
            .flag("--strict", "Exit with 1 if the sound is odd: silent, clipped, or unchanged by an effect") { $0.isStrict = true },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
            .text(
                "--trace", "FILE", offering: .file,
                "Write each message, request and event between host and plug-in as a line; as JSON if FILE ends in .json"
            ) { $0.tracePath = $1 },
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
        let source = try AudioFileReader(path: input, takesPipes: true)
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath, tracePath], RenderCommand.usage)
        try tracePath.map { (path) in try TraceFile(path: path) }?.begin()
        let format = AudioFormat(
            sampleRate: source.format.sampleRate, channelCount: source.format.channelCount, layout: source.format.channelLayout)
        let engine = AudioEngine()
        let effects = try effects(for: output, format, on: engine)
        let input = FileInput(source)
        engine.inputNode.setManualRenderingInputPCMFormat(format) { input.fill($0) }
        try effects.connect(from: engine.inputNode, sampleRate: format.sampleRate)
        try engine.start()
        // No real-time rank: no driver waits.
        for chain in engine.chains { chain.place(processor: nil, below: .ordinary) }
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: source,
            wishes: wishes)
        let render = OfflineRender(
            effects: effects, output: output, format: format, blockSize: blockSize, tailSeconds: tailSeconds, onFault: onFault)
        let findings = try render.run(input, into: file)
        let report = report(effects, format.sampleRate, findings)
        if let reportPath { try report.write(to: reportPath) }
        observe(Facts(report: report, seconds: Double(file.writer.frameCount) / file.writer.sampleRate))
        try render.faults.complain(of: effects)
        try findings.complain(ofFile: output, isStrict: isStrict)
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

    /// The running effects, on an engine that is rendered by hand.
    private func effects(for output: String, _ format: AudioFormat, on engine: AudioEngine) throws -> EffectChain {
        let (arguments, registry) = try requested(for: output)
        let units = try arguments.instantiate(from: registry, sampleRate: format.sampleRate)
        var policy = self.policy.offlinePolicy
        onFault.apply(to: &policy)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
        // A unit renders ahead only if it is waited for. Else one that dies in a block would be missing in the next one too.
        let isPipelined = !isSerial && OfflineRender.isWorthPipelining(units)
        engine.setPolicy(policy, isPipelined: isPipelined, rendersAhead: onFault == .retry)
        return try EffectChain(units, arguments, channelCount: format.channelCount, layout: format.layout, on: engine)
    }

    private func report(_ chain: EffectChain, _ sampleRate: Double, _ findings: [RenderFinding]) -> Report {
        let statistics = chain.engine.statistics
        return Report(
            command: RenderCommand.name, sampleRate: sampleRate, quantum: blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: chain),
            findings: findings)
    }
}
