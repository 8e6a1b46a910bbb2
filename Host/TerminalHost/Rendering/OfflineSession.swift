// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An engine that renders into a file as fast as possible, set up in one way for all commands that do so. Main thread.

import AudioFiles
import AudioGraph
import Console
import Glibc
import GraphDocuments
import PluginHosting
import Realtime
import Rendering

/// A graph to render into a file.
///
/// Connect the engine's input, make the graph in `engine`, call `start`, and render.
final class OfflineSession {
    let engine = AudioEngine()
    /// The path of the file, for messages.
    let output: String
    let format: AudioFormat
    /// The most frames of a block.
    let blockSize: Int

    /// Puts an engine into manual rendering mode, without starting it.
    init(into output: String, _ format: AudioFormat, blockSize: Int) throws {
        (self.output, self.format, self.blockSize) = (output, format, blockSize)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
    }

    /// The treatment of units while a file is rendered.
    struct Rules {
        var policy = PolicyArguments().offlinePolicy
        /// True if several units render different blocks at once.
        var isPipelined = false
        /// True if a unit renders ahead.
        ///
        /// Only if the engine waits for it: otherwise a unit that dies in a block would miss the next one, too.
        var rendersAhead = true
    }

    /// Starts the engine with the graph in it.
    func start(_ graph: BuiltGraph, _ rules: Rules) throws {
        engine.setPolicy(rules.policy, isPipelined: rules.isPipelined, rendersAhead: rules.rendersAhead)
        graph.play()
        try engine.start()
        // No driver waits, so units need no real-time priority.
        for row in engine.rows { row.place(processor: nil, below: .ordinary) }
    }

    /// Memory for a block with this many channels.
    func buffer(channelCount: Int) throws -> AudioPCMBuffer {
        let isOwn = channelCount == format.channelCount
        let format = isOwn ? format : AudioFormat(sampleRate: format.sampleRate, channelCount: channelCount)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failedForNow("There is no memory for blocks of \(blockSize) frames.")
        }
        return buffer
    }

    /// Shows the progress of the rendering.
    func progress(_ title: String) -> ProgressLine { ProgressLine(title, on: usesOutput ? STDERR_FILENO : STDOUT_FILENO) }

    /// Renders the next frames; throws if the user wants the command to end.
    func render(_ frameCount: Int, to buffer: AudioPCMBuffer, makesPlans: Bool = true) throws -> AudioBlock {
        try Interruption.check("Stopped; \"\(output)\" was not written.")
        try engine.renderOffline(frameCount, to: buffer, makesPlans: makesPlans)
        return buffer.samples
    }

    /// True if the sound or a trace goes to standard output.
    private var usesOutput: Bool { output == "-" || HostConfiguration.current.messageTrace != nil }

    /// The report about a rendered graph.
    func report(_ graph: BuiltGraph, command: String, _ findings: [RenderFinding]) -> Report {
        let statistics = engine.statistics
        return Report(
            command: command, sampleRate: format.sampleRate, quantum: blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: graph.missedDeadlineCount, driverXruns: 0, latencyFrames: graph.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: graph),
            findings: findings)
    }
}
