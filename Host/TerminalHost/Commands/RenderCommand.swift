// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render: a file through a chain into another file, as fast as possible. Main thread.

import AudioFiles
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
        "drums.wav out.flac -e Distortion --preset \"Lo-Fi Drums\" -e Reverb --set mix=20",
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
        let format = ChainFormat(sampleRate: sampleRate, maximumFrameCount: blockSize, channelCount: channelCount)
        let (arguments, registry) = try self.chain.completed()
        // A file that lacks a requested effect must not pass for one with it.
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        let units = try arguments.instantiate(from: registry)
        let links = try arguments.links(units, sampleRate: sampleRate)
        var policy = self.policy.offlinePolicy
        onFault.apply(to: &policy)
        if !isSerial, isWorthPipelining(units) {
            // A unit renders ahead only if it is waited for. Else one that dies in a block would be missing in the next one too.
            policy = policy.pipelined(frameCount: blockSize, rendersAhead: onFault == .retry)
        }
        let chain = try UnitChain(links, format: format, policy: policy)
        // No real-time rank: no driver waits.
        chain.place(processor: nil, below: .ordinary)
        let writer = try AudioFileWriter(path: output, sampleRate: sampleRate, channelCount: channelCount)
        let player = PlanPlayer()
        try render(FileInput(source), chain, player, into: writer)
        let faults = RenderFaults(output: output, answer: onFault)
        if onFault != .stop || !faults.hasAny(in: chain) { try writer.finish() }
        if let reportPath { try report(chain, player, sampleRate).write(to: reportPath) }
        try faults.complain(of: chain)
    }

    /// Whether two things can be done at once.
    private func isWorthPipelining(_ units: [HostedUnit]) -> Bool {
        Scheduling.ownProcessors.count > 1 && units.contains { $0.isolation == .outOfProcess }
    }

    private func render(
        _ input: consuming FileInput, _ chain: UnitChain, _ player: PlanPlayer, into writer: AudioFileWriter
    ) throws {
        let format = chain.format
        var builder = RenderPlanBuilder(channelCount: format.channelCount, maximumFrameCount: blockSize)
        player.play(builder.plan(output: builder.add(source: chain)))
        var driver = OfflineDriver(
            player: player, channelCount: format.channelCount, inputChannelCount: format.channelCount,
            maximumFrameCount: blockSize, sampleRate: format.sampleRate)
        let progress = ProgressLine("Rendering")
        defer { progress.finish() }
        let latency = chain.latencyFrameCount
        let tailFrameCount = tailFrameCount(chain, format.sampleRate)
        var tail = TailWatch(chain, sampleRate: format.sampleRate)
        var done = 0
        while done < latency + input.frameCount + tailFrameCount, !(tail.isOver && tailSeconds == nil) {
            try Interruption.check("Stopped; \"\(output)\" was not written.")
            try input.fill(driver.input(frameCount: blockSize))
            let total = latency + input.frameCount + tailFrameCount
            // The last block is as short as without a pipeline. The blocks after it empty the pipeline.
            let end = total - chain.pipelineLatencyFrameCount
            let block = driver.render(frameCount: min(blockSize, (done < end ? end : total) - done))
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
    private struct FileInput: ~Copyable {
        private let reader: AudioFileReader
        /// The length in the header, until the end is reached.
        private(set) var frameCount: Int

        init(_ reader: AudioFileReader) {
            self.reader = reader
            frameCount = reader.format.frameCount
        }

        /// Fills a block with the next frames.
        mutating func fill(_ block: AudioBlock) throws {
            let wanted = min(block.frameCount, frameCount - reader.position)
            let count = wanted > 0 ? try reader.read(into: block.channels, frameCount: wanted) : 0
            if count < wanted { frameCount = reader.position }
            block.silence(from: count)
        }
    }

    /// Seconds of silence that end a tail of unknown length.
    private static let silenceSeconds = 1.0

    /// Detects the silence after a tail of unknown length.
    private struct TailWatch {
        /// -120 dB.
        private static let threshold: Float = 1e-6
        private let patience: Int
        private var silentFrameCount = 0

        init(_ chain: UnitChain, sampleRate: Double) {
            patience = chain.tailFrameCount == .max ? Int(RenderCommand.silenceSeconds * sampleRate) : .max
        }

        var isOver: Bool { silentFrameCount >= patience }

        mutating func hear(_ block: AudioBlock) {
            let isSilent = (0..<block.channelCount).allSatisfy { block.peak(ofChannel: $0) < Self.threshold }
            silentFrameCount = isSilent ? silentFrameCount + block.frameCount : 0
        }
    }

    /// Frames to render after the end of the input.
    private func tailFrameCount(_ chain: UnitChain, _ sampleRate: Double) -> Int {
        let longest = Int(Self.longestTailSeconds * sampleRate)
        return tailSeconds.map { Int($0 * sampleRate) } ?? min(chain.tailFrameCount, longest)
    }

    private func report(_ chain: UnitChain, _ player: PlanPlayer, _ sampleRate: Double) -> Report {
        let statistics = player.statistics
        return Report(
            command: Self.name, sampleRate: sampleRate, quantum: blockSize, cycles: statistics.cycles,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics.longestNanoseconds) / 1000, units: Report.units(of: chain))
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
