// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Passes a session's edits to a capture. The session's thread; settings on any.

import AudioGraph
import GraphDocuments
import PluginHosting

extension Session {
    /// The first frame at which a change made now may be heard; nil without a capture.
    var captureFrame: Int64? { capture.withLock { $0?.frame } }

    /// Notes an event that no replay can repeat in the capture, if there is one.
    ///
    /// `frame` is the value of `captureFrame` before the event.
    func note(unrepeatable title: String, since frame: Int64?) {
        guard let capture = capture.withLock({ $0 }) else { return }
        capture.note(unrepeatable: title, since: frame ?? capture.frame)
    }

    /// Notes a changed graph in the capture, if there is one.
    func note(_ change: GraphChange, _ document: GraphDocument, since base: GraphDocument, _ frame: Int64?) {
        // The render thread notes the frames of settings.
        guard let capture = capture.withLock({ $0 }) else { return }
        let (graph, title) = (graph, "the graph was edited")
        guard change.isOfPlanAlone, !document.isSame(as: base) else {
            capture.learn(graph)
            if !document.isSame(as: base) { note(unrepeatable: title, since: frame) }
            return
        }
        capture.note(
            .edit, title, document.withPlugins(of: graph), of: graph, heardAt: change.ticket, routes: change.routes,
            since: frame ?? capture.frame)
    }

    /// Notes in the capture, if there is one, that a scene took over, whose graph is now `graph`.
    func note(_ change: GraphChange, scene: SessionScene, _ graph: BuiltGraph, since frame: Int64?) {
        let title = "the scene \(ControlRequest.quoted(scene.name)) was chosen"
        guard let capture = capture.withLock({ $0 }) else { return }
        guard change.isOfPlanAlone else {
            capture.learn(graph)
            return note(unrepeatable: title, since: frame)
        }
        capture.note(
            .scene, title, scene.graph.withPlugins(of: graph), of: graph, heardAt: change.ticket, routes: change.routes,
            since: frame ?? capture.frame)
    }

    /// Notes in the capture, if there is one, that a graph that rang out was removed.
    func note(removalOf graph: BuiltGraph, at ticket: EditTicket, since frame: Int64?) {
        guard let capture = capture.withLock({ $0 }) else { return }
        capture.note(removalOf: graph, heardAt: ticket, since: frame ?? capture.frame)
    }
}

extension GraphDocument {
    /// The document with the IDs, versions and code of the plug-ins that play it, which may be newer than those in the document.
    ///
    /// A name may later mean another plug-in, to which the user gave no rights.
    func withPlugins(of graph: BuiltGraph) -> GraphDocument {
        var document = self
        let units = Dictionary(graph.units.map { ($0.name, $0.unit) }) { first, _ in first }
        for (index, node) in nodes.enumerated() {
            guard case .unit(let unit) = node.kind, let played = units[node.id] else { continue }
            var saved = unit.saved
            saved.id = played.component.id
            if saved.version != SavedUnit.anyVersion { saved.version = played.unitDescription.version.description }
            saved.keepCode(of: played.hosted)
            var versioned = GraphDocument.Unit(saved)
            versioned.preset = unit.preset
            if saved != unit.saved { document.nodes[index].kind = .unit(versioned) }
        }
        return document
    }

    /// True if another graph differs only in values of parameters, MIDI, bypasses and levels, whose frames the render thread notes.
    func isSame(as other: GraphDocument) -> Bool {
        skeleton.nodes == other.skeleton.nodes && skeleton.connections == other.skeleton.connections && midi == other.midi
            && transport == other.transport
    }

    private var skeleton: GraphDocument {
        var skeleton = self
        for index in nodes.indices {
            (skeleton.nodes[index].volume, skeleton.nodes[index].pan) = (nil, nil)
            switch nodes[index].kind {
            case .mixer: skeleton.nodes[index].kind = .mixer(outputVolume: 1)
            case .environment(var environment):
                environment.outputVolume = 1
                skeleton.nodes[index].kind = .environment(environment)
            case .unit(let unit):
                var saved = unit.saved
                (saved.parameters, saved.isBypassed, saved.midi) = ([:], nil, nil)
                var bare = GraphDocument.Unit(saved)
                bare.preset = unit.preset
                skeleton.nodes[index].kind = .unit(bare)
            case .player, .input: break
            }
        }
        for index in connections.indices { (skeleton.connections[index].volume, skeleton.connections[index].pan) = (nil, nil) }
        return skeleton
    }
}
