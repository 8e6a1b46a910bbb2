// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders an engine into a file, with the tail of its effects, as fast as possible. Main thread.

import AudioFiles
import AudioGraph
import Console
import Glibc
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// What is rendered into a file: so many frames, and then the tail.
protocol OfflineSource {
    /// The frames that are known of now.
    var frameCount: Int { get }
    /// Whether anything but silence has come in so far; true where the sound does not come from a file.
    var isAudible: Bool { get }
    /// The samples so far that were NaN or infinite in the file, and were replaced by 0.
    var invalidSampleCount: Int { get }
    /// Throws what went wrong so far on the threads that read and render.
    func throwFailure() throws
    /// Waits until those threads have said what went wrong, and throws it.
    func settle() throws
}

/// Renders what an engine puts out into a file.
struct OfflineRender {
    let effects: any EffectGroup
    /// The path of the file, for messages.
    let output: String
    let format: AudioFormat
    let blockSize: Int
    /// Seconds to render after the end of the source; nil: as long as the effects sound.
    let tailSeconds: Double?
    let onFault: FaultAnswer

    /// The longest tail without --tail, in seconds.
    private static let longestTailSeconds = 30.0
    /// Seconds of silence that end a tail of unknown length.
    private static let silenceSeconds = 1.0

    /// What is reported of the effects.
    var faults: RenderFaults { RenderFaults(output: output, answer: onFault) }

    /// Renders all frames, and completes the file unless a fault is to prevent that; returns what is odd about it.
    func run(_ source: some OfflineSource, into file: RenderedFile) throws -> [RenderFinding] {
        var findings = RenderFindings()
        try render(source, into: file, &findings)
        try source.settle()
        effects.engine.settleFaults()
        (findings.isInputAudible, findings.invalidInputCount) = (source.isAudible, source.invalidSampleCount)
        if onFault != .stop || !faults.hasAny(in: effects) { try file.finish() }
        return findings.all(of: effects, in: file.writers)
    }

    private func render(_ source: some OfflineSource, into file: RenderedFile, _ findings: inout RenderFindings) throws {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failedForNow("There is no memory for blocks of \(blockSize) frames.")
        }
        let progress = ProgressLine("Rendering", on: usesOutput ? STDERR_FILENO : STDOUT_FILENO)
        defer { progress.finish() }
        var latency = effects.latencyFrameCount
        let tailFrameCount = tailFrameCount
        var tail = TailWriter(file, patience: tailPatience)
        var done = 0
        while done < latency + source.frameCount + tailFrameCount, !tail.isOver {
            try Interruption.check("Stopped; \"\(output)\" was not written.")
            let total = latency + source.frameCount + tailFrameCount
            // The last block is as short as without a pipeline. The blocks after it empty the pipeline.
            let end = total - effects.pipelineLatencyFrameCount
            try effects.engine.renderOffline(min(blockSize, (done < end ? end : total) - done), to: buffer)
            try source.throwFailure()
            let block = buffer.samples
            // Some plug-ins know their latency only after their first block.
            if file.frameCount == 0 { latency = effects.latencyFrameCount }
            findings.latencies = (latency, effects.latencyFrameCount)
            findings.hear(block)
            // The latency is cut off the start, so that output and input are aligned.
            let first = max(0, min(block.frameCount, latency - done))
            let isTailExact = tailSeconds != nil
            let tailStart = isTailExact ? block.frameCount : min(block.frameCount, max(first, latency + source.frameCount - done))
            try file.write(block, from: first, to: tailStart)
            if !isTailExact { try tail.write(block, from: tailStart) }
            done += block.frameCount
            progress.show(Double(done) / Double(total))
            if !effects.isWhole { _ = effects.waitUntilReady(milliseconds: 10_000) }
            if onFault == .stop, faults.hasAny(in: effects) { return }
        }
        if tailPatience < .max, !tail.isOver, tail.isSounding { findings.cutAfterSeconds = Self.longestTailSeconds }
    }

    /// Whether the sound or a trace goes to standard output.
    private var usesOutput: Bool { output == "-" || HostConfiguration.current.messageTrace != nil }

    /// Frames to render after the end of the source.
    private var tailFrameCount: Int {
        let longest = Int(Self.longestTailSeconds * format.sampleRate)
        return tailSeconds.map { Int($0 * format.sampleRate) } ?? min(effects.tailFrameCount, longest)
    }

    /// The frames of silence that end the tail: of a known length none do.
    private var tailPatience: Int {
        tailSeconds == nil && effects.tailFrameCount == .max ? Int(Self.silenceSeconds * format.sampleRate) : .max
    }
}

extension OfflineRender {
    /// Whether several units can render at once, each another block.
    static func isWorthPipelining(_ units: [HostedUnit]) -> Bool {
        Scheduling.ownProcessors.count > 1 && units.contains { $0.isolation == .outOfProcess } && !sharesProcessAcrossRows(units)
    }

    /// Whether units share a process, and units among them take no wiring, as those in the host's process.
    ///
    /// Such a chain is rendered one unit after the other. A process that died comes back once none of its units is held, and a part of
    /// the chain that waits for its own units alone would hold the others.
    private static func sharesProcessAcrossRows(_ units: [HostedUnit]) -> Bool {
        let processes = units.compactMap(\.unitProcess).map { ObjectIdentifier($0) }
        return units.contains { !$0.takesWirings } && Set(processes).count < processes.count
    }
}
