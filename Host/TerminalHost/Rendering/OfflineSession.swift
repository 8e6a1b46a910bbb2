// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An engine that is rendered by hand into a file, as fast as possible: the set-up of all commands that do so. Main thread.

import AudioFiles
import AudioGraph
import Console
import Glibc
import GraphDocuments
import PluginHosting
import Realtime
import Rendering

/// A graph that is rendered into a file.
///
/// Connect what the engine hears, make the graph in `engine`, `start` it, and render.
final class OfflineSession {
    let engine = AudioEngine()
    /// The path of the file, for messages.
    let output: String
    let format: AudioFormat
    /// The most frames of a block.
    let blockSize: Int

    /// Has an engine rendered by hand; it plays nothing yet.
    init(into output: String, _ format: AudioFormat, blockSize: Int) throws {
        (self.output, self.format, self.blockSize) = (output, format, blockSize)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
    }

    /// How units are treated while a file is rendered.
    struct Rules {
        var policy = PolicyArguments().offlinePolicy
        /// Whether several units render at once, each another block.
        var isPipelined = false
        /// Whether a unit renders ahead.
        ///
        /// Only where it is waited for: else one that dies in a block would be missing in the next one too.
        var rendersAhead = true
    }

    /// Starts the engine with a graph that has been made in it.
    func start(_ graph: BuiltGraph, _ rules: Rules) throws {
        engine.setPolicy(rules.policy, isPipelined: rules.isPipelined, rendersAhead: rules.rendersAhead)
        graph.play()
        try engine.start()
        // No real-time rank: no driver waits.
        for row in engine.rows { row.place(processor: nil, below: .ordinary) }
    }

    /// The memory of a block of so many channels.
    func buffer(channelCount: Int) throws -> AudioPCMBuffer {
        let isOwn = channelCount == format.channelCount
        let format = isOwn ? format : AudioFormat(sampleRate: format.sampleRate, channelCount: channelCount)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failedForNow("There is no memory for blocks of \(blockSize) frames.")
        }
        return buffer
    }

    /// Shows how far the rendering is.
    func progress(_ title: String) -> ProgressLine { ProgressLine(title, on: usesOutput ? STDERR_FILENO : STDOUT_FILENO) }

    /// Renders the next frames; throws when the user wants the command to end.
    func render(_ frameCount: Int, to buffer: AudioPCMBuffer, makesPlans: Bool = true) throws -> AudioBlock {
        try Interruption.check("Stopped; \"\(output)\" was not written.")
        try engine.renderOffline(frameCount, to: buffer, makesPlans: makesPlans)
        return buffer.samples
    }

    /// Whether the sound or a trace goes to standard output.
    private var usesOutput: Bool { output == "-" || HostConfiguration.current.messageTrace != nil }

    /// What there is to report of a graph that has been rendered.
    func report(_ graph: BuiltGraph, command: String, _ findings: [RenderFinding]) -> Report {
        let statistics = engine.statistics
        return Report(
            command: command, sampleRate: format.sampleRate, quantum: blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: graph.missedDeadlineCount, driverXruns: 0, latencyFrames: graph.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: graph),
            findings: findings)
    }
}
