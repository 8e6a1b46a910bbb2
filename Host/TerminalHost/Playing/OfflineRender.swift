// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders an engine into a file, with the tail of its effects, as fast as possible. Main thread.

import AudioFiles
import AudioGraph
import Console
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// What is rendered into a file: so many frames, and then the tail.
protocol OfflineSource {
    /// The frames that are known of now.
    var frameCount: Int { get }
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

    /// What is reported of the effects.
    var faults: RenderFaults { RenderFaults(output: output, answer: onFault) }

    /// Renders all frames, and completes the file unless a fault is to prevent that.
    func run(_ source: some OfflineSource, into writer: AudioFileWriter) throws {
        try render(source, into: writer)
        try source.settle()
        if onFault != .stop || !faults.hasAny(in: effects) { try writer.finish() }
    }

    private func render(_ source: some OfflineSource, into writer: AudioFileWriter) throws {
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: blockSize) else {
            throw CommandError.failed("There is no memory for blocks of \(blockSize) frames.")
        }
        let progress = ProgressLine("Rendering")
        defer { progress.finish() }
        let latency = effects.latencyFrameCount
        let tailFrameCount = tailFrameCount
        var tail = TailWatch(effects, sampleRate: format.sampleRate)
        var done = 0
        while done < latency + source.frameCount + tailFrameCount, !(tail.isOver && tailSeconds == nil) {
            try Interruption.check("Stopped; \"\(output)\" was not written.")
            let total = latency + source.frameCount + tailFrameCount
            // The last block is as short as without a pipeline. The blocks after it empty the pipeline.
            let end = total - effects.pipelineLatencyFrameCount
            try effects.engine.renderOffline(min(blockSize, (done < end ? end : total) - done), to: buffer)
            try source.throwFailure()
            let block = buffer.samples
            // The latency is cut off the start, so that output and input are aligned.
            try writer.write(block, from: max(0, min(block.frameCount, latency - done)))
            done += block.frameCount
            if done > latency + source.frameCount { tail.hear(block) }
            progress.show(Double(done) / Double(total))
            if !effects.isWhole { _ = effects.waitUntilReady(milliseconds: 10_000) }
            if onFault == .stop, faults.hasAny(in: effects) { return }
        }
    }

    /// Frames to render after the end of the source.
    private var tailFrameCount: Int {
        let longest = Int(Self.longestTailSeconds * format.sampleRate)
        return tailSeconds.map { Int($0 * format.sampleRate) } ?? min(effects.tailFrameCount, longest)
    }

    /// Detects the silence after a tail of unknown length.
    private struct TailWatch {
        /// -120 dB.
        private static let threshold: Float = 1e-6
        /// Seconds of silence that end a tail of unknown length.
        private static let silenceSeconds = 1.0
        private let patience: Int
        private var silentFrameCount = 0

        init(_ effects: any EffectGroup, sampleRate: Double) {
            patience = effects.tailFrameCount == .max ? Int(Self.silenceSeconds * sampleRate) : .max
        }

        var isOver: Bool { silentFrameCount >= patience }

        mutating func hear(_ block: AudioBlock) {
            let isSilent = (0..<block.channelCount).allSatisfy { block.peak(ofChannel: $0) < Self.threshold }
            silentFrameCount = isSilent ? silentFrameCount + block.frameCount : 0
        }
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
