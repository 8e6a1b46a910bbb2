// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Graphs that take turns in one engine: the next one is faded in while the one before rings out. Control thread.

import AudioGraph
import PluginHosting
import Synchronization

extension BuiltGraph {
    /// Makes a graph beside this one, which takes over in the same edit: its sources are heard, and those of this one no longer.
    ///
    /// What this one's effects still sound is heard until `remove`. The plug-ins of the next graph are started before anything is
    /// heard of it; those of the nodes in `absent` are not started: their input is passed on. Throws as `GraphDocument.build` does;
    /// this graph plays on then.
    package func handOver(
        to document: GraphDocument, from registry: ComponentRegistry, allowing allowances: Allowances, name: String,
        without absent: Set<String> = []
    ) throws(GraphDocumentError) -> (graph: BuiltGraph, change: GraphChange) {
        try becoming.withLock { _ throws(GraphDocumentError) in
            let (next, ticket) = try document.buildNext(
                into: engine, from: registry, allowing: allowances, name: name,
                at: .scene(name, input: ends.input, format: ends.format), replacing: self, without: absent
            )
            if isPlaying { next.play() }
            let isOfSoundAlone = [self.document, document].allSatisfy { document in
                document.midi == nil && document.transport == nil
                    && !document.nodes.contains { if case .player = $0.kind { true } else { false } }
            }
            return (next, GraphChange(ticket: ticket, isOfPlanAlone: isOfSoundAlone))
        }
    }

    /// Whether the graph has a main mixer of its own, which leads to the engine's.
    var isScene: Bool { ends.main !== engine.mainMixerNode }

    /// Cuts the sources off; part of an edit.
    func fallSilent() throws(AudioEngineError) {
        let content = content
        let document = content.document
        for wire in content.wires where wire.source < document.nodes.count {
            switch document.nodes[wire.source].kind {
            case .input, .player:
                _ = try engine.disconnectNodeInput(content.destination(of: wire), bus: wire.destinationBus).get()
            case .mixer, .environment, .unit: break
            }
        }
        for (_, unit) in content.units { unit.releaseNotes() }
    }

    /// Fades out what is still heard of the graph, and lets its nodes and plug-ins go.
    @discardableResult
    package func remove() throws(GraphDocumentError) -> EditTicket {
        let content = content
        do throws(AudioEngineError) {
            return try engine.edit("remove the graph") { () throws(AudioEngineError) in
                for (place, node) in content.document.nodes.enumerated() where node.kind != .input {
                    _ = try engine.detach(content.places[place]).get()
                }
                guard isScene else { return }
                for node in [ends.main, ends.output] { _ = try engine.detach(node).get() }
            }
        } catch {
            throw .engine(error)
        }
    }
}

extension PluginUnit {
    /// Lets go of all notes that an instrument plays, and of its pedals.
    fileprivate func releaseNotes() {
        guard unitDescription.inputs.isEmpty else { return }
        for channel in UInt8(0)..<16 {
            for controller in [UInt8(64), 66, 123] {
                // One that does not render has no notes.
                try? send(MIDIMessage(0xB0 | channel, controller, 0, byteCount: 3))
            }
        }
    }
}
