// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render: a file through a chain into another file, as fast as possible. Main thread.

import AudioFiles
import AudioGraph
import AudioUnits
import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

struct RenderCommand: Command {
    static let name = "render"
    static let summary = "renders a file through a chain of effects into another file"
    static let synopsis = "IN OUT (-e ID [--preset NAME] [--set KEYPATH=VALUE]… [--automate …] [--isolation POLICY])…"
    static let operands = [Operand("IN", .file), Operand("OUT", .file)]
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
        ]
    }
    static let details = """
        OUT has the rate, the channels, the kind of samples and the tags of IN. The end of its name chooses the format: .wav,
        .flac, .ogg, .opus, .mp3, .aiff, .caf and others. Effects render at the rate of IN; --rate, and a format that does not
        have that rate, convert the result. 16-bit samples are dithered. `-` as IN is standard input, and as OUT a WAV file on
        standard output; IN may be a pipe. An effect that does not take so many channels is an error; `bulkhead info ID` shows the numbers it
        takes. After the end of IN rendering goes on while the effects sound, at most 30 seconds. The file ends where the sound has
        fallen below −90 dBFS. If an effect cannot say for how long it sounds, a second of silence ends it.

        An effect that dies is restarted and renders the same block again (`retry`). If it keeps failing, its replacement is
        written, the report counts those blocks, and the exit status is 1. With `bypass` the replacement is written at once and
        the exit status is 0. With `stop` nothing is written.

        What is odd about the sound is said in one sentence and in the report: the output is silent although the input is not,
        samples were clipped, an effect changed nothing, a side chain is not connected. With --strict the exit status is 1 then.
        """
    static let examples = [
        "drums.wav out.flac -e Distortion --preset \"Drums Lo-Fi\" -e Reverb --set mix=20",
        "pad.wav out.wav -e Filter --automate cutoff=0:200,8:8000 --report out.json",
    ]

    private var files: [String] = []
    private var chain = ChainArguments()
    private var policy = PolicyArguments()
    private var onFault = FaultAnswer.retry
    /// Long blocks need the fewest hand-offs.
    private var blockSize = 8192
    private var isSerial = false
    private var tailSeconds: Double?
    private var isStrict = false
    private var wishes = RenderedFile.Wishes()
    private var reportPath: String?

    mutating func take(_ operand: String) -> Bool {
        files.append(operand)
        return files.count <= 2
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard files.count == 2 else { throw arguments.usage("Say which file to read and which to write.") }
    }

    private var input: String { files[0] }
    private var output: String { files[1] }

    func run() throws {
        let source = try AudioFileReader(path: input, takesPipes: true)
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath], Self.usage)
        let (sampleRate, channelCount) = (source.format.sampleRate, source.format.channelCount)
        let (arguments, registry) = try self.chain.completed()
        // A file that lacks a requested effect must not pass for one with it.
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        let units = try arguments.instantiate(from: registry, sampleRate: sampleRate)
        var policy = self.policy.offlinePolicy
        onFault.apply(to: &policy)
        let engine = AudioEngine()
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: source.format.channelLayout)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
        // A unit renders ahead only if it is waited for. Else one that dies in a block would be missing in the next one too.
        let isPipelined = !isSerial && OfflineRender.isWorthPipelining(units)
        engine.setPolicy(policy, isPipelined: isPipelined, rendersAhead: onFault == .retry)
        let chain = try EffectChain(units, arguments, channelCount: channelCount, on: engine)
        let input = FileInput(source)
        engine.inputNode.setManualRenderingInputPCMFormat(format) { input.fill($0) }
        try chain.connect(from: engine.inputNode, sampleRate: sampleRate)
        try engine.start()
        // No real-time rank: no driver waits.
        for chain in engine.chains { chain.place(processor: nil, below: .ordinary) }
        let file = try RenderedFile(
            path: output, sampleRate: sampleRate, channelCount: channelCount, layout: format.layout, like: source, wishes: wishes)
        let render = OfflineRender(
            effects: chain, output: output, format: format, blockSize: blockSize, tailSeconds: tailSeconds, onFault: onFault)
        let findings = try render.run(input, into: file)
        if let reportPath { try report(chain, sampleRate, findings).write(to: reportPath) }
        try render.faults.complain(of: chain)
        try findings.complain(ofFile: output, isStrict: isStrict)
    }

    private func report(_ chain: EffectChain, _ sampleRate: Double, _ findings: [RenderFinding]) -> Report {
        let statistics = chain.engine.statistics
        return Report(
            command: Self.name, sampleRate: sampleRate, quantum: blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: chain),
            findings: findings)
    }
}
