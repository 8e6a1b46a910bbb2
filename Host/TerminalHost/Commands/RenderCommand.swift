// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render: a file through a chain into another file, as fast as it goes. Main thread.

import AudioFiles
import AudioUnits
import Foundation
import PluginHosting
import Realtime
import Rendering

struct RenderCommand: Command {
    static let name = "render"
    static let summary = "renders a file through a chain of effects into another file"
    static let synopsis = "IN OUT (-e ID [--preset NAME] [--set KEYPATH=VALUE]… [--automate …] [--in-process])…"
    static let options =
        ChainArguments.options + [
            Option("--block-size", "N", "frames a block, 1 to 8192; 512 without it"),
            Option("--tail", "SECONDS", "go on for so long after the end of IN; as long as the effects sound without it"),
            Option("--report", "FILE", "write a report as JSON"),
        ]

    private let input, output: String
    private var chain = ChainArguments()
    private var blockSize = 512
    private var tailSeconds: Double?
    private var reportPath: String?

    init(_ arguments: inout Arguments) throws {
        var files: [String] = []
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            switch word {
            case "--block-size": blockSize = try arguments.integer(of: word, in: 1...8192)
            case "--tail": tailSeconds = try arguments.number(of: word, in: 0...3600)
            case "--report": reportPath = try arguments.value(of: word)
            default:
                guard !word.hasPrefix("-"), files.count < 2 else { throw arguments.unknown(word, among: Self.options) }
                files.append(word)
            }
        }
        guard files.count == 2 else { throw arguments.usage("Say which file to read and which to write.") }
        (input, output) = (files[0], files[1])
    }

    func run() async throws {
        let source = try AudioFile.load(input)
        let format = ChainFormat(
            sampleRate: source.sampleRate, maximumFrameCount: blockSize, channelCount: source.channelCount)
        let session = try await ChainSession(chain, format: format)
        let writer = try AudioFileWriter(path: output, sampleRate: source.sampleRate, channelCount: source.channelCount)
        let player = PlanPlayer()
        try render(source, session.chain, player, into: writer)
        try writer.finish()
        if let reportPath { try report(session.chain, player, source.sampleRate).write(to: reportPath) }
    }

    private func render(
        _ source: LoadedAudio, _ chain: UnitChain, _ player: PlanPlayer, into writer: AudioFileWriter
    ) throws {
        let samples = SamplePlayer(
            channels: (0..<source.channelCount).map { UnsafePointer(source[$0].baseAddress!) },
            frameCount: source.frameCount, isLooping: false, owner: source)
        var builder = RenderPlanBuilder(channelCount: source.channelCount, maximumFrameCount: blockSize)
        let wet = builder.add(chain, after: builder.add(source: samples))
        player.play(builder.plan(output: wet))
        var driver = OfflineDriver(
            player: player, channelCount: source.channelCount, maximumFrameCount: blockSize, sampleRate: source.sampleRate)
        let progress = ProgressLine("Rendering")
        let total = source.frameCount + Int((tailSeconds ?? 0) * source.sampleRate)
        var done = 0
        while done < total {
            try Interruption.check()
            let block = driver.render(frameCount: min(blockSize, total - done))
            try writer.write(block.channels, frameCount: block.frameCount)
            done += block.frameCount
            progress.show(Double(done) / Double(total))
            if !chain.isWhole { _ = chain.waitUntilReady(milliseconds: 10_000) }
        }
        progress.finish()
    }

    private func report(_ chain: UnitChain, _ player: PlanPlayer, _ sampleRate: Double) -> Report {
        let statistics = player.statistics
        return Report(
            command: Self.name, sampleRate: sampleRate, quantum: blockSize, cycles: statistics.cycles,
            missedDeadlines: chain.missedDeadlineCount, driverXruns: 0, latencyFrames: chain.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics.longestNanoseconds) / 1000, units: Report.units(of: chain))
    }
}

extension Report {
    /// Writes the report whole or not at all.
    func write(to path: String) throws {
        try ReplacementFile.replace(path, with: try Terminal.json(self) + "\n")
    }
}
