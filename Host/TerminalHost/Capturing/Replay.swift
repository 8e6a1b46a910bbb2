// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a captured performance again: each change between two blocks, at the frame at which it was heard. Main thread.

import AudioFiles
import AudioGraph
import Console
import Control
import LinuxSystem
import PluginHosting

/// A performance that is rendered again.
struct Replay {
    let performance: CapturedPerformance
    let output: String
    let blockSize: Int
    let allowances: Allowances

    /// The most messages of MIDI in a block; an engine takes 1024 at once.
    private static let mostMessages = 512

    func run() throws {
        let heard = performance.heard.format
        let format = AudioFormat(
            sampleRate: heard.sampleRate, channelCount: heard.channelCount, layout: heard.channelLayout)
        let engine = AudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: blockSize)
        let input = performance.input.map { FileInput($0) }
        if let input, let reader = performance.input {
            let inputFormat = AudioFormat(
                sampleRate: format.sampleRate, channelCount: reader.format.channelCount, layout: reader.format.channelLayout)
            engine.inputNode.setManualRenderingInputPCMFormat(inputFormat) { input.fill($0) }
        }
        try engine.connect(engine.mainMixerNode, to: engine.outputNode, format: format)
        let graph = try performance.build(into: engine, format, allowing: allowances)
        // A pipeline would shift the frames at which changes are heard.
        engine.setPolicy(PolicyArguments().offlinePolicy, isPipelined: false, rendersAhead: true)
        graph.play()
        try engine.start()
        // No real-time rank: no driver waits.
        for chain in engine.chains { chain.place(processor: nil, below: .ordinary) }
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: nil,
            wishes: RenderedFile.Wishes())
        var comparison = HeardComparison(performance.heard)
        let end = endFrame
        try render(graph, format, to: end, into: file, &comparison)
        try input?.throwFailure()
        if let failure = graph.failure { throw failure }
        engine.settleFaults()
        try file.finish()
        try RenderFaults(output: output, answer: .retry).complain(of: graph)
        let findings = ReplayFindings(performance, output: output, end: end, comparison)
        if let sentence = findings.complaint { throw CommandError.failed(sentence) }
        Terminal.print(lines: ["\"\(output)\" has the bits that were heard, in all \(end) frames."])
    }

    /// The frame to render up to: what follows something that no replay can repeat would be another performance.
    private var endFrame: Int64 {
        let end = performance.end.frame
        return performance.events.first { $0.event == .unrepeatable }.map { min($0.frame, end) } ?? end
    }

    private func render(
        _ graph: BuiltGraph, _ format: AudioFormat, to end: Int64, into file: RenderedFile, _ comparison: inout HeardComparison
    ) throws {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failedForNow("There is no memory for blocks of \(blockSize) frames.")
        }
        let progress = ProgressLine("Replaying")
        defer { progress.finish() }
        var player = EventPlayer(graph)
        var graph = graph
        // Graphs that ring out, the oldest first.
        var former: [BuiltGraph] = []
        var edited: Int64 = -1
        var changes = performance.events.filter(\.event.isChange)[...]
        var messages = performance.events.filter { $0.event == .midi }[...]
        var frame: Int64 = 0
        while frame < end {
            try Interruption.check("Stopped; \"\(output)\" was not written.")
            while let change = changes.first, change.frame <= frame {
                let change = changes.removeFirst()
                switch change.event {
                // The plan of an edit is made with it.
                case .plan where change.frame == edited: break
                case .edit, .scene:
                    edited = change.frame
                    let next = try performance.change(graph, by: change, allowing: allowances)
                    if next !== graph { former.append(graph) }
                    (graph, player) = (next, EventPlayer(next))
                case .removal:
                    edited = change.frame
                    if !former.isEmpty { try former.removeFirst().remove() }
                default: try apply(change, player)
                }
            }
            var next = min(end, frame + Int64(blockSize), changes.first?.frame ?? .max)
            if messages.count > Self.mostMessages {
                // One frame takes all of its messages, and each block at least one frame.
                next = min(next, max(frame + 1, messages[messages.startIndex + Self.mostMessages].frame))
            }
            while let message = messages.first, message.frame < next { player.send(messages.removeFirst(), message.frame) }
            try graph.engine.renderOffline(Int(next - frame), to: buffer, makesPlans: false)
            let block = buffer.samples
            try comparison.compare(block)
            try file.write(block, from: 0, to: block.frameCount)
            frame = next
            progress.show(Double(frame) / Double(end))
            if !graph.isWhole { _ = graph.waitUntilReady(milliseconds: 10_000) }
        }
    }

    private func apply(_ change: CapturedEvent, _ player: EventPlayer) throws {
        guard try player.apply(change) else {
            let path = [change.node, change.keyPath].compactMap { $0 }.joined(separator: ".")
            throw performance.failed("at frame \(change.frame) \"\(path)\" changes, which the session does not have")
        }
    }
}
