// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets graphs take turns in one engine: the next fades in while the former one rings out. Control thread.

import AudioGraph
import PluginHosting
import Synchronization

extension BuiltGraph {
    /// Makes a graph beside this one that takes over in the same edit: its sources are heard, and this graph's no longer.
    ///
    /// The tails of this graph's effects are heard until `remove`. The next graph's plug-ins are started before it is heard. Plug-ins of
    /// the nodes in `absent` are not started: their input is passed on. The notes that MIDI holds in this graph end. With `holdsMIDI` this
    /// graph receives MIDI until `GraphChange.heldMIDI` is called. Throws as `GraphDocument.build` does; this graph then plays on.
    package func handOver(
        to document: GraphDocument, from registry: ComponentRegistry, allowing allowances: Allowances, name: String,
        without absent: Set<String> = [], holdsMIDI: Bool = false
    ) throws(GraphDocumentError) -> (graph: BuiltGraph, change: GraphChange) {
        try becoming.withLock { _ throws(GraphDocumentError) in
            let (next, ticket) = try document.buildNext(
                into: engine, from: registry, allowing: allowances, name: name,
                at: .scene(name, input: ends.input, format: ends.format), replacing: self, without: absent
            )
            let routes = holdsMIDI ? nil : next.playInstruments(replacing: self)
            let play = { @Sendable [self] in _ = next.playInstruments(replacing: self) }
            if isPlaying { next.play() }
            let isOfSoundAlone = [self.document, document].allSatisfy { document in
                (document.midi?.files ?? []).isEmpty && document.transport == nil
                    && !document.nodes.contains { if case .player = $0.kind { true } else { false } }
            }
            return (
                next,
                GraphChange(ticket: ticket, isOfPlanAlone: isOfSoundAlone, routes: routes, heldMIDI: holdsMIDI ? play : nil)
            )
        }
    }

    /// True if the graph has its own main mixer, which leads to the engine's.
    var isScene: Bool { ends.main !== engine.mainMixerNode }

    /// Cuts off the sources, as part of an edit.
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
    }

    /// Fades out the rest of the graph, and releases its nodes and plug-ins.
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
