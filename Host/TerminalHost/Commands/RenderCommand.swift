// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render: a file through a chain into another file, as fast as it goes. Main thread.

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
    static let options =
        ChainArguments.options + PolicyArguments.options + [
            Option("--block-size", "N", "frames a block, 1 to 8192; 8192 without it"),
            Option("--tail", "SECONDS", "go on for so long after the end of IN; as long as the effects sound without it"),
            Option("--serial", nil, "one effect after the other; without it they work at the same time, each on another block"),
            Option("--on-fault", "retry|bypass|stop", "what becomes of a block whose effect fails; retry without it"),
            Option("--report", "FILE", "write a report as JSON"),
        ]
    static let details = """
        OUT gets the rate and the channels of IN, and the format that its name ends in: .wav .flac .ogg .opus .mp3 .aiff
        .caf and others. Effects that do not take so many channels refuse; bulkhead info ID tells how many they take. After the
        end of IN it goes on for as long as the effects say that they sound, and where one cannot say, until there has been
        silence for a second; 30 seconds at most.

        An effect that dies is started anew and renders the same block again (retry). When it keeps failing there, what
        stands in for it is written, the report says for how many blocks, and the exit status is 1. With bypass that is
        written at once and is no failure; with stop nothing is written.
        """
    static let examples = [
        "drums.wav out.flac -e Distortion --preset \"Lo-Fi Drums\" -e Reverb --set mix=20",
        "pad.wav out.wav -e Filter --automate cutoff=0:200,8:8000 --report out.json",
    ]

    /// Seconds that a tail gets when nobody says how many.
    private static let longestTailSeconds = 30.0

    private let input, output: String
    private let usage: (String) -> CommandError
    private var chain = ChainArguments()
    private var policy = PolicyArguments()
    private var onFault = FaultAnswer.retry
    /// The longest there is: what passes between two blocks matters least.
    private var blockSize = 8192
    private var isSerial = false
    private var tailSeconds: Double?
    private var reportPath: String?

    init(_ arguments: inout Arguments) throws {
        var files: [String] = []
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            if PolicyArguments.options.contains(where: { $0.name == word }), try policy.take(word, &arguments) { continue }
            switch word {
            case "--block-size": blockSize = try arguments.integer(of: word, in: 1...8192)
            case "--serial": isSerial = true
            case "--tail": tailSeconds = try arguments.number(of: word, in: 0...3600)
            case "--on-fault":
                let text = try arguments.value(of: word)
                guard let answer = FaultAnswer(rawValue: text) else {
                    throw arguments.usage("--on-fault takes retry, bypass or stop, not \"\(text)\".")
                }
                onFault = answer
            case "--report": reportPath = try arguments.value(of: word)
            default:
                guard !word.hasPrefix("-"), files.count < 2 else { throw arguments.unknown(word, among: Self.options) }
                files.append(word)
            }
        }
        guard files.count == 2 else { throw arguments.usage("Say which file to read and which to write.") }
        (input, output) = (files[0], files[1])
        usage = { [arguments] in arguments.usage($0) }
    }

    func run() throws {
        let source = try AudioFileReader(path: input)
        try OutputFiles(inputs: [input] + chain.files).check([output, reportPath], usage)
        let (sampleRate, channelCount) = (source.format.sampleRate, source.format.channelCount)
        let format = ChainFormat(sampleRate: sampleRate, maximumFrameCount: blockSize, channelCount: channelCount)
        let (arguments, registry) = try self.chain.completed()
        // A file without an effect that was asked for must not pass for one with it.
        if let absent = try arguments.withoutQuarantined(registry).leftOut.first {
            throw CommandError.failed("Couldn't render \"\(output)\": \(absent.sentence)")
        }
        let units = try arguments.instantiate(from: registry)
        let links = try arguments.links(units, sampleRate: sampleRate)
        var policy = self.policy.offlinePolicy
        onFault.apply(to: &policy)
        if !isSerial, isWorthPipelining(units) {
            // Ahead only with those that can be waited for: a unit that dies in the block before would be missed in the next one, too.
            policy = policy.pipelined(frameCount: blockSize, rendersAhead: onFault == .retry)
        }
        let chain = try UnitChain(links, format: format, policy: policy)
        // No rank: nobody waits but a file.
        chain.place(processor: nil, below: .ordinary)
        let writer = try AudioFileWriter(path: output, sampleRate: sampleRate, channelCount: channelCount)
        let player = PlanPlayer()
        try render(FileInput(source), chain, player, into: writer)
        let faults = RenderFaults(output: output, answer: onFault)
        if onFault != .stop || !faults.hasAny(in: chain) { try writer.finish() }
        if let reportPath { try report(chain, player, sampleRate).write(to: reportPath) }
        try faults.complain(of: chain)
    }

    /// Whether anything can be done at the same time as something else.
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
            // The last block is as short as it would be without a pipeline; after it come those that move on what is still in there.
            let end = total - chain.pipelineLatencyFrameCount
            let block = driver.render(frameCount: min(blockSize, (done < end ? end : total) - done))
            // The first frames are the chain's latency; without them the output is in step with the input.
            try writer.write(block, from: max(0, min(block.frameCount, latency - done)))
            done += block.frameCount
            if done > latency + input.frameCount { tail.hear(block) }
            progress.show(Double(done) / Double(total))
            if !chain.isWhole { _ = chain.waitUntilReady(milliseconds: 10_000) }
            if onFault == .stop, RenderFaults(output: output, answer: onFault).hasAny(in: chain) { return }
        }
    }

    /// A file, block after block, and silence after it.
    private struct FileInput: ~Copyable {
        private let reader: AudioFileReader
        /// Of the file: what its header says, until the end has been seen.
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

    /// Seconds of silence after which a tail without a known end is taken to have ended.
    private static let silenceSeconds = 1.0

    /// Notices when a chain that cannot say how long it sounds has fallen silent.
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

    /// Frames to go on for after the end of the input.
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
