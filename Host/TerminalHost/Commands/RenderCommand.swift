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
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
    static let details = """
        OUT has the rate and the channels of IN. The end of its name chooses the format: .wav, .flac, .ogg, .opus, .mp3, .aiff,
        .caf and others. An effect that does not take so many channels is an error; `bulkhead info ID` shows the numbers it
        takes. After the end of IN rendering goes on while the effects sound. If an effect cannot say for how long, it goes on
        until there is silence for a second, at most 30 seconds.

        An effect that dies is restarted and renders the same block again (`retry`). If it keeps failing, its replacement is
        written, the report counts those blocks, and the exit status is 1. With `bypass` the replacement is written at once and
        the exit status is 0. With `stop` nothing is written.
        """
    static let examples = [
        "drums.wav out.flac -e Distortion --preset \"Drums Lo-Fi\" -e Reverb --set mix=20",
        "pad.wav out.wav -e Filter --automate cutoff=0:200,8:8000 --report out.json",
    ]

    /// The longest tail without --tail, in seconds.
    private static let longestTailSeconds = 30.0

    private var files: [String] = []
    private var chain = ChainArguments()
    private var policy = PolicyArguments()
    private var onFault = FaultAnswer.retry
    /// Long blocks need the fewest hand-offs.
    private var blockSize = 8192
    private var isSerial = false
    private var tailSeconds: Double?
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
        let source = try AudioFileReader(path: input)
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath], Self.usage)
        let (sampleRate, channelCount) = (source.format.sampleRate, source.format.channelCount)
        let (arguments, registry) = try self.chain.completed()
        // A file that lacks a requested effect must not pass for one with it.
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        let units = try arguments.instantiate(from: registry)
        var policy = self.policy.offlinePolicy
        onFault.apply(to: &policy)
        let engine = AudioEngine()
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
        // A unit renders ahead only if it is waited for. Else one that dies in a block would be missing in the next one too.
        let isPipelined = !isSerial && isWorthPipelining(units) && !sharesProcessAcrossRows(units)
        engine.setPolicy(policy, isPipelined: isPipelined, rendersAhead: onFault == .retry)
        let chain = try EffectChain(units, arguments, channelCount: channelCount, on: engine)
        let input = FileInput(source)
        engine.inputNode.setManualRenderingInputPCMFormat(format) { input.fill($0) }
        try chain.connect(from: engine.inputNode, sampleRate: sampleRate)
        try engine.start()
        // No real-time rank: no driver waits.
        for chain in engine.chains { chain.place(processor: nil, below: .ordinary) }
        let writer = try AudioFileWriter(path: output, sampleRate: sampleRate, channelCount: channelCount)
        try render(input, chain, format, into: writer)
        let faults = RenderFaults(output: output, answer: onFault)
        if onFault != .stop || !faults.hasAny(in: chain) { try writer.finish() }
        if let reportPath { try report(chain, sampleRate).write(to: reportPath) }
        try faults.complain(of: chain)
    }

    /// Whether units share a process, and units among them take no wiring, as those in the host's process.
    ///
    /// Such a chain is rendered one unit after the other. A process that died comes back once none of its units is held, and a part of
    /// the chain that waits for its own units alone would hold the others.
    private func sharesProcessAcrossRows(_ units: [HostedUnit]) -> Bool {
        let processes = units.compactMap(\.unitProcess).map { ObjectIdentifier($0) }
        return units.contains { !$0.takesWirings } && Set(processes).count < processes.count
    }

    /// Whether two things can be done at once.
    private func isWorthPipelining(_ units: [HostedUnit]) -> Bool {
        Scheduling.ownProcessors.count > 1 && units.contains { $0.isolation == .outOfProcess }
    }

    private func render(
        _ input: FileInput, _ chain: EffectChain, _ format: AudioFormat, into writer: AudioFileWriter
    ) throws {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failed("There is no memory for blocks of \(blockSize) frames.")
        }
        let progress = ProgressLine("Rendering")
        defer { progress.finish() }
        let latency = chain.latencyFrameCount
        let tailFrameCount = tailFrameCount(chain, format.sampleRate)
        var tail = TailWatch(chain, sampleRate: format.sampleRate)
        var done = 0
        while done < latency + input.frameCount + tailFrameCount, !(tail.isOver && tailSeconds == nil) {
            try Interruption.check("Stopped; \"\(output)\" was not written.")
            let total = latency + input.frameCount + tailFrameCount
            // The last block is as short as without a pipeline. The blocks after it empty the pipeline.
            let end = total - chain.pipelineLatencyFrameCount
            try chain.engine.renderOffline(min(blockSize, (done < end ? end : total) - done), to: buffer)
            try input.throwFailure()
            let block = buffer.samples
            // The chain's latency is cut off the start, so that output and input are aligned.
            try writer.write(block, from: max(0, min(block.frameCount, latency - done)))
            done += block.frameCount
            if done > latency + input.frameCount { tail.hear(block) }
            progress.show(Double(done) / Double(total))
            if !chain.isWhole { _ = chain.waitUntilReady(milliseconds: 10_000) }
            if onFault == .stop, RenderFaults(output: output, answer: onFault).hasAny(in: chain) { return }
        }
    }

    /// A file, block by block, followed by silence.
    private final class FileInput: @unchecked Sendable {
        // SAFETY: the thread that renders uses it, and no other.
        private let reader: AudioFileReader
        /// The length in the header, until the end is reached.
        private(set) var frameCount: Int
        private var failure: (any Error)?

        init(_ reader: AudioFileReader) {
            self.reader = reader
            frameCount = reader.format.frameCount
        }

        /// Fills a block with the next frames.
        func fill(_ block: AudioBlock) -> Bool {
            let wanted = min(block.frameCount, frameCount - reader.position)
            do {
                let count = wanted > 0 ? try reader.read(into: block.channels, frameCount: wanted) : 0
                if count < wanted { frameCount = reader.position }
                block.silence(from: count)
            } catch {
                failure = error
                block.silence()
            }
            return true
        }

        func throwFailure() throws { if let failure { throw failure } }
    }

    /// Seconds of silence that end a tail of unknown length.
    private static let silenceSeconds = 1.0

    /// Detects the silence after a tail of unknown length.
    private struct TailWatch {
        /// -120 dB.
        private static let threshold: Float = 1e-6
        private let patience: Int
        private var silentFrameCount = 0

        init(_ chain: EffectChain, sampleRate: Double) {
            patience = chain.tailFrameCount == .max ? Int(RenderCommand.silenceSeconds * sampleRate) : .max
        }

        var isOver: Bool { silentFrameCount >= patience }

        mutating func hear(_ block: AudioBlock) {
            let isSilent = (0..<block.channelCount).allSatisfy { block.peak(ofChannel: $0) < Self.threshold }
            silentFrameCount = isSilent ? silentFrameCount + block.frameCount : 0
        }
    }

    /// Frames to render after the end of the input.
    private func tailFrameCount(_ chain: EffectChain, _ sampleRate: Double) -> Int {
        let longest = Int(Self.longestTailSeconds * sampleRate)
        return tailSeconds.map { Int($0 * sampleRate) } ?? min(chain.tailFrameCount, longest)
    }

    private func report(_ chain: EffectChain, _ sampleRate: Double) -> Report {
        let statistics = chain.engine.statistics
        return Report(
            command: Self.name, sampleRate: sampleRate, quantum: blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: chain))
    }
}

extension AudioFileWriter {
    /// Writes the frames of a block from `start` on.
    fileprivate func write(_ block: AudioBlock, from start: Int) throws {
        let channels = (0..<block.channelCount).map { block[$0] + start }
        try channels.withUnsafeBufferPointer { pointers in
            guard let base = pointers.baseAddress else { return }
            try write(base, frameCount: block.frameCount - start)
        }
    }
}
