// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a graph into a file. Main thread.

import AudioFiles
import AudioGraph
import LinuxSystem
import PluginHosting
import Rendering

/// A graph that is rendered into a file, as a command line asks for it.
struct GraphRender {
    let setup: GraphSetup
    let output: String
    let inputPath: String?
    let offline: OfflineArguments

    private var document: GraphDocument { setup.document }

    func run() throws {
        let input = try openedInput()
        let format = try format(input?.format)
        let engine = AudioEngine()
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: offline.blockSize)
        let fed = input.map { FileInput($0) }
        if let fed, let input {
            let inputFormat = AudioFormat(
                sampleRate: format.sampleRate, channelCount: input.format.channelCount, layout: input.format.channelLayout)
            engine.inputNode.setManualRenderingInputPCMFormat(inputFormat) { fed.fill($0) }
        }
        let graph = try setup.build(into: engine)
        guard document.length != nil || !graph.isEndless else {
            throw CommandError.failed("The graph \"\(setup.path)\" loops for ever. Give it a \"length\" in seconds to render it.")
        }
        var policy = PolicyArguments().offlinePolicy
        offline.onFault.apply(to: &policy)
        // As for a command line: behind a mix of instruments that render ahead, an effect would sound otherwise.
        let units = graph.units.map(\.unit.hosted)
        let isPipelined = !offline.isSerial && document.midi == nil && OfflineRender.isWorthPipelining(units)
        engine.setPolicy(policy, isPipelined: isPipelined, rendersAhead: offline.onFault == .retry)
        graph.play()
        try engine.start()
        // No real-time rank: no driver waits.
        for chain in engine.chains { chain.place(processor: nil, below: .ordinary) }
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout, like: input,
            wishes: offline.wishes)
        let render = OfflineRender(
            effects: graph, output: output, format: format, blockSize: offline.blockSize,
            tailSeconds: offline.tailSeconds ?? (document.length == nil ? nil : 0), onFault: offline.onFault)
        let findings = try render.run(GraphSource(graph, fed, sampleRate: format.sampleRate), into: file)
        if let reportPath = offline.reportPath { try report(graph, format.sampleRate, findings).write(to: reportPath) }
        try graph.complainOfUnderruns(sampleRate: format.sampleRate)
        try render.faults.complain(of: graph)
        try findings.complain(ofFile: output, isStrict: offline.isStrict)
    }

    /// The file for the graph's input.
    private func openedInput() throws -> AudioFileReader? {
        if let bus = document.inputBuses.first {
            throw CommandError.failed(
                "The graph \"\(setup.path)\" has the input bus \"\(bus.name)\", which no file can feed; play it with: bulkhead graph play"
            )
        }
        guard document.readsInput || inputPath == nil else {
            throw CommandError.failed("The graph \"\(setup.path)\" has no input; leave --input out.")
        }
        guard let inputPath else {
            guard !document.readsInput else {
                throw CommandError.failed("The graph \"\(setup.path)\" has an input; say what comes in: --input IN.")
            }
            return nil
        }
        return try AudioFileReader(path: inputPath, takesPipes: true)
    }

    private func format(_ input: AudioFileFormat?) throws -> AudioFormat {
        let rate = try document.sampleRate ?? input?.sampleRate ?? document.firstFileRate() ?? 48_000
        if let input, input.sampleRate != rate {
            throw CommandError.failed(
                "Couldn't render \"\(output)\": the input has \(input.sampleRate) Hz, and the graph \(rate) Hz. Convert the input first."
            )
        }
        let count = document.channelCount ?? input?.channelCount ?? 2
        return AudioFormat(
            sampleRate: rate, channelCount: count, layout: try input?.channelLayout ?? document.firstFileLayout(of: count))
    }

    private func report(_ graph: BuiltGraph, _ sampleRate: Double, _ findings: [RenderFinding]) -> Report {
        let statistics = graph.engine.statistics
        return Report(
            command: GraphCommand.name, sampleRate: sampleRate, quantum: offline.blockSize, cycles: statistics?.cycles ?? 0,
            missedDeadlines: graph.missedDeadlineCount, driverXruns: 0, latencyFrames: graph.latencyFrameCount,
            longestCycleMicroseconds: Double(statistics?.longestNanoseconds ?? 0) / 1000, units: Report.units(of: graph),
            findings: findings)
    }
}

/// The frames of a graph: as many as it says, or until its players and its input are at their end.
private struct GraphSource: OfflineSource {
    private let graph: BuiltGraph
    private let input: FileInput?
    private let playedFrameCount: Int
    private let lengthFrameCount: Int?

    init(_ graph: BuiltGraph, _ input: FileInput?, sampleRate: Double) {
        (self.graph, self.input) = (graph, input)
        playedFrameCount = Int((graph.seconds * sampleRate).rounded(.up))
        lengthFrameCount = graph.document.length.map { Int(($0 * sampleRate).rounded()) }
    }

    var frameCount: Int { lengthFrameCount ?? max(playedFrameCount, input?.frameCount ?? 0) }

    var isAudible: Bool { input?.isAudible ?? true }

    var invalidSampleCount: Int { input?.invalidSampleCount ?? 0 }

    func throwFailure() throws {
        try input?.throwFailure()
        if let failure = graph.failure { throw failure }
    }

    func settle() throws {
        // A graph that is shorter than its files never plays them to their end.
        let deadline = MonotonicClock.now() + 1_000_000_000
        while lengthFrameCount == nil, !graph.isOver, MonotonicClock.now() < deadline { Futex.pause(microseconds: 500) }
        try throwFailure()
    }
}
