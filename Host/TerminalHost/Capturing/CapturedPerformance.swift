// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a captured performance from its folder, and makes its graph in an engine again. Main thread.

import AudioFiles
import AudioGraph
import Console
import Control
import GraphDocuments
import PluginHosting

/// A performance in a folder.
struct CapturedPerformance {
    let folder: CaptureFolder
    let facts: CaptureFacts
    let file: SessionFile
    let events: [CapturedEvent]
    /// The sound that was heard.
    let heard: AudioFileReader
    /// The sound of each input bus, the main one first; empty if the graph has no input.
    let inputs: [AudioFileReader]
    private let registry: ComponentRegistry
    /// True if this user's host wrote the session.
    private let isOwn: Bool
    /// The capture that the session began, if this user's host wrote the session; only events of this capture can be the host's own.
    private let ownCapture: String?

    /// Reads a folder, and finds the plug-ins.
    init(_ path: String) throws {
        let folder = CaptureFolder(path)
        self.folder = folder
        facts = try Self.reading(folder.facts) { () throws(FileDefect) in try CaptureFacts(contentsOfFile: folder.facts) }
        file = try Self.reading(folder.session) { () throws(FileDefect) in try SessionFile(contentsOfFile: folder.session) }
        isOwn = file.isOwn
        ownCapture = isOwn ? file.capture : nil
        events = try Self.reading(folder.events) { () throws(FileDefect) in try CapturedEvent.events(inFile: folder.events) }
        heard = try AudioFileReader(path: folder.output)
        inputs = file.graph.readsInput ? try Self.inputs(of: file.graph, in: folder) : []
        let graphs = [file.graph] + events.compactMap(\.graph)
        registry = try InstalledPlugins.registry(wanting: graphs.flatMap(\.wantedPlugins))
        for graph in graphs { try checkPlugins(of: graph) }
    }

    private static func reading<Value>(_ path: String, _ body: () throws(FileDefect) -> Value) throws -> Value {
        do throws(FileDefect) {
            return try body()
        } catch {
            throw CommandError.failed("Couldn't read the capture's file \"\(path)\": \(error.reason).")
        }
    }

    private static func inputs(of graph: GraphDocument, in folder: CaptureFolder) throws -> [AudioFileReader] {
        let main = try AudioFileReader(path: folder.input)
        return try [main]
            + graph.inputBuses.enumerated().map { index, bus in
                let path = folder.input(ofBus: index + 1)
                let reader = try AudioFileReader(path: path)
                let (count, rate) = (reader.format.channelCount, reader.format.sampleRate)
                guard count == bus.channelCount, rate == main.format.sampleRate else {
                    throw CommandError.failed(
                        "Couldn't replay \"\(folder.path)\": \"\(path)\" has \(count) channels at \(rate) Hz, and the input bus "
                            + "\"\(bus.name)\" has \(bus.channelCount) at \(main.format.sampleRate) Hz.")
                }
                return reader
            }
    }

    /// The input for rendering the performance again; nil if the graph has no input.
    var input: GraphInputs? {
        inputs.first.map { GraphInputs(main: $0, further: Array(zip(file.graph.inputBuses, inputs.dropFirst()))) }
    }

    /// Throws if a plug-in is missing or in quarantine.
    private func checkPlugins(of graph: GraphDocument) throws {
        for unit in graph.savedUnits {
            guard let component = try? registry.component(named: unit.id) else {
                throw failed("there is no plug-in \"\(unit.name)\" here; install it")
            }
            if let reason = component.quarantineReason {
                throw failed(
                    "\"\(component.name)\" is quarantined: it \(reason). Bring it back with: bulkhead unblock "
                        + ShellWord.quoted(component.id))
            }
        }
    }

    /// Makes the graph in an engine that renders in `format`.
    func build(into engine: AudioEngine, _ format: AudioFormat, allowing allowances: Allowances) throws -> BuiltGraph {
        let given = granting(isOwn ? file.graph.savedUnits : [], beside: allowances)
        let graph = try file.graph.build(
            into: engine, from: registry, allowing: given, name: folder.session, at: .scene("chain", format: format))
        if facts.loopsSong, let song = file.graph.midi?.files.first {
            let length = try MIDISongFile(path: file.graph.path(of: song)).lengthInBeats
            if length > 0 { engine.transport.loopRange = 0..<length }
        }
        try checkVersions(of: graph)
        return graph
    }

    /// The rights that the user allows now, and those that the user had given these units, if their plug-ins are unchanged.
    private func granting(_ units: [SavedUnit], beside allowances: Allowances) -> Allowances {
        var allowances = allowances.asking
        allowances.grant(SavedUnit.unchanged(units, in: registry), in: registry)
        return allowances
    }

    /// The rights of the units of an edit or a scene, whose graph is `document`.
    ///
    /// Units keep rights that the user had given if the event has a seal of this capture, or if the sealed session has the scene.
    /// Otherwise the user is asked, also about a unit with unchanged texts, because it would take a state from another hand.
    private func allowances(
        for event: CapturedEvent, _ document: GraphDocument, beside allowances: Allowances
    ) throws(GraphDocumentError) -> Allowances {
        let isKnownScene = event.event == .scene && isOwn && file.scenes.contains { $0.graph == document }
        guard isKnownScene || ownCapture.map(event.isOwn(in:)) ?? false else {
            var asked = allowances.asking
            try document.check(in: registry, allowing: asked, name: event.title ?? "edit")
            asked.grant(document.savedUnits, in: registry)
            return asked
        }
        return granting(document.savedUnits, beside: allowances)
    }

    /// Throws if the version of a plug-in differs from the one that played.
    private func checkVersions(of graph: BuiltGraph) throws {
        let saved = Dictionary(zip(graph.document.unitNodes, graph.document.savedUnits)) { first, _ in first }
        for (node, unit) in graph.units {
            guard let saved = saved[node] else { continue }
            let version = unit.unitDescription.version.description
            guard version == saved.version || saved.version == SavedUnit.anyVersion else {
                throw failed("it was played with \"\(saved.name)\" \(saved.version), and \(version) is installed")
            }
        }
    }

    /// Edits the graph as the session did; from then on its levels and units are those of the returned graph.
    ///
    /// The routes of MIDI stay until `GraphChange.heldMIDI` is called: they changed at a frame of their own.
    func change(
        _ graph: BuiltGraph, by event: CapturedEvent, allowing allowances: Allowances
    ) throws -> (graph: BuiltGraph, change: GraphChange?) {
        guard var document = event.graph else { return (graph, nil) }
        document.folder = file.folder
        var next = graph
        let change: GraphChange
        do throws(GraphDocumentError) {
            let allowances = try self.allowances(for: event, document, beside: allowances)
            if event.event == .scene {
                (next, change) = try graph.handOver(
                    to: document, from: registry, allowing: allowances, name: event.title ?? "scene", holdsMIDI: true)
            } else {
                // Values are changes of their own, with frames of their own, so the document provides none.
                let kept = document.keepingSettings(of: graph.captured)
                change = try graph.become(
                    kept, since: kept, from: registry, allowing: allowances, name: event.title ?? "edit", holdsMIDI: true)
            }
        } catch {
            throw failed("the edit at frame \(event.frame) failed: \(Terminal.sentence(of: error))")
        }
        try checkVersions(of: next)
        return (next, change)
    }

    /// The last frame of the known performance, and whether the performance was completed.
    var end: (frame: Int64, isComplete: Bool) {
        if let end = events.last(where: { $0.event == .end }) { return (end.frame, true) }
        // The capture ends with its last line.
        return (min(Int64(heard.format.frameCount), events.last?.frame ?? 0), false)
    }

    func failed(_ reason: String) -> CommandError { .failed("Couldn't replay \"\(folder.path)\": \(reason).") }
}

extension GraphDocument {
    /// The document with the settings of units in another one that have the same name, plug-in and texts.
    fileprivate func keepingSettings(of other: GraphDocument) -> GraphDocument {
        var document = self
        let known = Dictionary(other.nodes.map { ($0.id, $0) }) { first, _ in first }
        for (index, node) in nodes.enumerated() {
            guard case .unit(var unit) = node.kind, case .unit(let present)? = known[node.id]?.kind,
                unit.saved.id == present.saved.id, unit.saved.texts == present.saved.texts,
                unit.saved.automation == present.saved.automation, unit.saved.isolation == present.saved.isolation
            else { continue }
            (unit.saved.parameters, unit.saved.isBypassed) = (present.saved.parameters, present.saved.isBypassed)
            document.nodes[index].kind = .unit(unit)
        }
        return document
    }
}
