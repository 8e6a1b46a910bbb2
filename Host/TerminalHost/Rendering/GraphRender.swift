// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a graph into a file. Main thread.

import AudioFiles
import AudioFormats
import AudioGraph
import Console
import GraphDocuments
import LinuxSystem
import PluginHosting
import Rendering

/// A graph to render into a file, by the options of a command line.
struct GraphRender {
    let setup: GraphSetup
    let output: String
    let inputPath: String?
    /// The files for the input's further buses: NAME=FILE.
    let busWishes: [String]
    /// The files for the output's further buses: NAME=FILE.
    let outputWishes: [String]
    let offline: OfflineArguments

    private var document: GraphDocument { setup.document }

    func run() throws {
        let outputPaths = try BusFiles.paths(outputWishes, of: document.outputBuses, "output", setup.path)
        let idle = document.idleOutputBuses
        if let bus = document.outputBuses.first(where: { outputPaths[$0.name] == nil && !idle.contains($0.name) }) {
            throw CommandError.failed(
                "The graph \"\(setup.path)\" plays to the output bus \"\(bus.name)\"; say where it goes: --output-bus \(bus.name)=FILE."
            )
        }
        let inputs = try GraphInputs(of: document, named: setup.path, path: inputPath, wishes: busWishes)
        let format = try format(inputs)
        let session = try OfflineSession(into: output, format, blockSize: offline.blockSize)
        inputs.connect(to: session.engine, format)
        let graph = try setup.build(into: session.engine)
        for warning in document.warnings { Terminal.printError("The graph \"\(setup.path)\": \(warning)") }
        guard document.length != nil || !graph.isEndless else {
            throw CommandError.failed("The graph \"\(setup.path)\" loops for ever. Give it a \"length\" in seconds to render it.")
        }
        // The same rule as for a chain: behind a mix of instruments that render ahead, an effect would sound different.
        let units = graph.units.map(\.unit.hosted)
        try session.start(graph, offline.rules(PolicyArguments(), of: units, mayPipeline: document.midi == nil))
        let file = try RenderedFile(
            path: output, sampleRate: format.sampleRate, channelCount: format.channelCount, layout: format.layout,
            like: inputs.mainReader,
            wishes: offline.wishes)
        try addBuses(outputPaths, to: file, format.sampleRate)
        let findings = try session.render(
            GraphSource(graph, inputs, sampleRate: format.sampleRate), through: graph,
            tailSeconds: offline.tailSeconds ?? (document.length == nil ? nil : 0), onFault: offline.onFault, into: file)
        if let reportPath = offline.reportPath {
            try session.report(graph, command: GraphCommand.name, findings).write(to: reportPath)
        }
        try graph.complainOfUnderruns(sampleRate: format.sampleRate)
        try RenderFaults(output: output, answer: offline.onFault).complain(of: graph)
        try findings.complain(ofFile: output, isStrict: offline.isStrict)
    }

    /// Writes the output's further buses into their files; a bus without a file is not written.
    private func addBuses(_ paths: [String: String], to file: RenderedFile, _ sampleRate: Double) throws {
        var channel = file.channelCount
        let companions = try document.outputBuses.compactMap { bus -> (firstChannel: Int, file: RenderedFile)? in
            defer { channel += bus.channelCount }
            guard let path = paths[bus.name] else { return nil }
            let file = try RenderedFile(
                path: path, sampleRate: sampleRate, channelCount: bus.channelCount, layout: nil, like: nil, wishes: offline.wishes)
            return (channel, file)
        }
        file.add(companions, channelCount: channel)
    }

    private func format(_ inputs: GraphInputs) throws -> AudioFormat {
        let rate = try document.sampleRate ?? inputs.sampleRate ?? document.firstFileRate() ?? 48_000
        if let other = inputs.otherRate(than: rate) {
            throw CommandError.failed(
                "Couldn't render \"\(output)\": the input has \(other) Hz, and the graph \(rate) Hz. Convert the input first.")
        }
        let count = document.channelCount ?? inputs.mainFormat?.channelCount ?? 2
        return AudioFormat(
            sampleRate: rate, channelCount: count,
            layout: try inputs.mainFormat?.channelLayout ?? document.firstFileLayout(of: count))
    }
}

/// The frames of a graph: its own number, or up to the end of its players and its input.
private struct GraphSource: OfflineSource {
    private let graph: BuiltGraph
    private let inputs: GraphInputs
    private let playedFrameCount: Int
    private let lengthFrameCount: Int?

    init(_ graph: BuiltGraph, _ inputs: GraphInputs, sampleRate: Double) {
        (self.graph, self.inputs) = (graph, inputs)
        playedFrameCount = Int(nearestFrame: (graph.seconds * sampleRate).rounded(.up))
        lengthFrameCount = graph.document.length.map { Int(nearestFrame: $0 * sampleRate) }
    }

    var frameCount: Int { lengthFrameCount ?? max(playedFrameCount, inputs.frameCount) }

    var isAudible: Bool { inputs.isAudible }

    var invalidSampleCount: Int { inputs.invalidSampleCount }

    func throwFailure() throws {
        try inputs.throwFailure()
        if let failure = graph.failure { throw failure }
    }

    func settle() throws {
        // A graph that is shorter than its files never reaches their end.
        let deadline = MonotonicClock.now() + 1_000_000_000
        while lengthFrameCount == nil, !graph.isOver, MonotonicClock.now() < deadline { Futex.pause(microseconds: 500) }
        try throwFailure()
    }
}
