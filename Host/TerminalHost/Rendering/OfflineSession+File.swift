// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a source with the tail of its effects into a file, and reports its oddities. Main thread.

import AudioFormats
import AudioGraph
import Console
import GraphDocuments
import LinuxSystem
import PluginHosting

extension OfflineSession {
    /// The longest tail without --tail, in seconds.
    private static let longestTailSeconds = 30.0
    /// The seconds of silence that end a tail of unknown length.
    private static let silenceSeconds = 1.0

    /// Renders all frames, and the tail.
    ///
    /// The tail has `tailSeconds`, or lasts as long as the effects sound. Returns the findings about the file.
    /// The file is completed unless a fault must prevent that.
    func render(
        _ source: some OfflineSource, through graph: BuiltGraph, tailSeconds: Double?, onFault: FaultAnswer, into file: RenderedFile
    ) throws -> [RenderFinding] {
        var findings = RenderFindings()
        try render(source, graph, tailSeconds, onFault, file, &findings)
        try source.settle()
        engine.settleFaults()
        (findings.isInputAudible, findings.invalidInputCount) = (source.isAudible, source.invalidSampleCount)
        if onFault != .stop || !RenderFaults.hasAny(in: graph) { try file.finish() }
        return findings.all(of: graph, in: file.writers)
    }

    private func render(
        _ source: some OfflineSource, _ graph: BuiltGraph, _ tailSeconds: Double?, _ onFault: FaultAnswer, _ file: RenderedFile,
        _ findings: inout RenderFindings
    ) throws {
        let buffer = try buffer(channelCount: file.channelCount)
        let progress = progress("Rendering")
        defer { progress.finish() }
        var latency = graph.latencyFrameCount
        let tailFrameCount = tailFrameCount(of: graph, tailSeconds)
        var tail = TailWriter(file, patience: tailPatience(of: graph, tailSeconds))
        var done = 0
        while done < latency + source.frameCount + tailFrameCount, !tail.isOver {
            let total = latency + source.frameCount + tailFrameCount
            // The last block is as short as without a pipeline, and the blocks after it empty the pipeline.
            let end = total - graph.pipelineLatencyFrameCount
            let block = try render(min(blockSize, (done < end ? end : total) - done), to: buffer)
            try source.throwFailure()
            // Some plug-ins report their latency only after their first block.
            if file.frameCount == 0 { latency = graph.latencyFrameCount }
            findings.latencies = (latency, graph.latencyFrameCount)
            findings.hear(block)
            // The start without the latency aligns output and input.
            let first = max(0, min(block.frameCount, latency - done))
            let isTailExact = tailSeconds != nil
            let tailStart = isTailExact ? block.frameCount : min(block.frameCount, max(first, latency + source.frameCount - done))
            try file.write(block, from: first, to: tailStart)
            if !isTailExact { try tail.write(block, from: tailStart) }
            done += block.frameCount
            progress.show(Double(done) / Double(total))
            if !graph.isWhole { _ = graph.waitUntilReady(milliseconds: 10_000) }
            if onFault == .stop, RenderFaults.hasAny(in: graph) { return }
        }
        if tailPatience(of: graph, tailSeconds) < .max, !tail.isOver, tail.isSounding {
            findings.cutAfterSeconds = Self.longestTailSeconds
        }
    }

    /// The frames of silence that end the tail; `Int.max` for a tail of known length, which silence does not end.
    private func tailPatience(of graph: BuiltGraph, _ tailSeconds: Double?) -> Int {
        tailSeconds == nil && graph.tailFrameCount == .max ? Int(nearestFrame: Self.silenceSeconds * format.sampleRate) : .max
    }

    /// The number of frames to render after the end of the source.
    private func tailFrameCount(of graph: BuiltGraph, _ tailSeconds: Double?) -> Int {
        let longest = Int(nearestFrame: Self.longestTailSeconds * format.sampleRate)
        return tailSeconds.map { Int(nearestFrame: ($0 * format.sampleRate).rounded(.down)) } ?? min(graph.tailFrameCount, longest)
    }
}

extension OfflineSession {
    /// True if several units can render different blocks at once.
    static func isWorthPipelining(_ units: [HostedUnit]) -> Bool {
        Scheduling.ownProcessors.count > 1 && units.contains { $0.isolation == .outOfProcess } && !sharesProcessAcrossRows(units)
    }

    /// True if units share a process and some of them have no wiring, as units in the host's process.
    ///
    /// Such a chain is rendered one unit after the other. A process that died comes back once none of its units is held. A part of the
    /// chain that waits only for its own units would hold the others.
    private static func sharesProcessAcrossRows(_ units: [HostedUnit]) -> Bool {
        let processes = units.compactMap(\.unitProcess).map { ObjectIdentifier($0) }
        return units.contains { !$0.takesWirings } && Set(processes).count < processes.count
    }
}
