// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a captured performance again, with each change between two blocks, at the frame of the performance. Main thread.

import AudioFiles
import AudioGraph
import Console
import Control
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting

/// A performance to render again.
struct Replay {
    let performance: CapturedPerformance
    let output: String
    let blockSize: Int
    let allowances: Allowances

    /// The most messages of MIDI in a block, because an engine takes 1024 at once.
    private static let mostMessages = 512

    func run() throws {
        let heard = performance.heard.format
        let format = AudioFormat(
            sampleRate: heard.sampleRate, channelCount: heard.channelCount, layout: heard.channelLayout)
        let session = try OfflineSession(into: output, format, blockSize: blockSize)
        let engine = session.engine
        let input = performance.input
        input?.connect(to: engine, format)
        try engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
        let graph = try performance.build(into: engine, format, allowing: allowances)
        // A pipeline would shift the frames at which changes are heard.
        try session.start(graph, OfflineSession.Rules())
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: nil,
            wishes: RenderedFile.Wishes())
        var comparison = HeardComparison(performance.heard)
        let end = endFrame
        let graphs = try render(graph, in: session, to: end, into: file, &comparison)
        try input?.throwFailure()
        if let failure = graphs.failure { throw failure }
        engine.settleFaults()
        try file.finish()
        try RenderFaults(output: output, answer: .retry).complain(of: graphs.members)
        let findings = ReplayFindings(performance, output: output, end: end, comparison)
        if let sentence = findings.complaint { throw CommandError.failed(sentence) }
        let sentence = ReplayedFile(output, file.writer, of: heard.sampleRate).sentence(frameCount: end)
        if output == "-" { Terminal.printError(sentence) } else { Terminal.print(sentence) }
    }

    /// The frame to render up to.
    ///
    /// After an event that no replay can repeat, the performance would be another one. Frames that were not heard have nothing to be
    /// compared with.
    private var endFrame: Int64 {
        let end = min(performance.end.frame, Int64(performance.heard.format.frameCount))
        return performance.events.first { $0.event == .unrepeatable }.map { min($0.frame, end) } ?? end
    }

    private func render(
        _ graph: BuiltGraph, in session: OfflineSession, to end: Int64, into file: RenderedFile, _ comparison: inout HeardComparison
    ) throws -> ReplayedGraphs {
        let buffer = try session.buffer(channelCount: session.format.channelCount)
        let progress = session.progress("Replaying")
        defer { progress.finish() }
        var graphs = ReplayedGraphs(graph, of: performance, allowing: allowances)
        let events = performance.events
        // The indices of changes among the events, which may be millions.
        var changes = events.indices.filter { events[$0].event.isChange }[...]
        var messages = events.indices.filter { events[$0].event == .midi }[...]
        var frame: Int64 = 0
        while frame < end {
            while let change = changes.first, events[change].frame <= frame { try graphs.make(events[changes.removeFirst()]) }
            var next = min(end, frame + Int64(blockSize), changes.first.map { events[$0].frame } ?? .max)
            if messages.count > Self.mostMessages {
                // One frame takes all of its messages, so each block has at least one frame.
                next = min(next, max(frame + 1, events[messages[messages.startIndex + Self.mostMessages]].frame))
            }
            while let message = messages.first, events[message].frame < next { graphs.send(events[messages.removeFirst()]) }
            let block = try session.render(Int(next - frame), to: buffer, makesPlans: false)
            try comparison.compare(block)
            try file.write(block, from: 0, to: block.frameCount)
            frame = next
            progress.show(Double(frame) / Double(end))
            graphs.waitUntilReady()
        }
        return graphs
    }
}
