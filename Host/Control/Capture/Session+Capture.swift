// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a session tells a capture of its edits. The session's thread; settings on any.

import AudioGraph
import GraphDocuments
import PluginHosting

extension Session {
    /// The frame from which on may be heard what is done now; nil where nothing is captured.
    var captureFrame: Int64? { capture.withLock { $0?.frame } }

    /// Notes in a capture, if there is one, what no replay can repeat; `frame` is what `captureFrame` was before.
    func note(unrepeatable title: String, since frame: Int64?) {
        guard let capture = capture.withLock({ $0 }) else { return }
        capture.note(unrepeatable: title, since: frame ?? capture.frame)
    }

    /// Notes in a capture, if there is one, that the graph has become another one.
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
            .edit, title, document.withPlugins(of: graph), of: graph, heardAt: change.ticket, since: frame ?? capture.frame)
    }

    /// Notes in a capture, if there is one, that a scene took over, which is `graph` now.
    func note(_ change: GraphChange, scene: SessionScene, _ graph: BuiltGraph, since frame: Int64?) {
        let title = "the scene \(ControlRequest.quoted(scene.name)) was chosen"
        guard let capture = capture.withLock({ $0 }) else { return }
        guard change.isOfPlanAlone else {
            capture.learn(graph)
            return note(unrepeatable: title, since: frame)
        }
        capture.note(
            .scene, title, scene.graph.withPlugins(of: graph), of: graph, heardAt: change.ticket, since: frame ?? capture.frame)
    }

    /// Notes in a capture, if there is one, that something that rang out has gone.
    func note(removalOf graph: BuiltGraph, at ticket: EditTicket, since frame: Int64?) {
        guard let capture = capture.withLock({ $0 }) else { return }
        capture.note(removalOf: graph, heardAt: ticket, since: frame ?? capture.frame)
    }
}

extension GraphDocument {
    /// The document with the IDs, versions and code of the plug-ins that play it, which may be newer than the document.
    ///
    /// A name may mean another plug-in later, which the user gave nothing.
    func withPlugins(of graph: BuiltGraph) -> GraphDocument {
        var document = self
        let units = Dictionary(graph.units.map { ($0.name, $0.unit) }) { first, _ in first }
        for (index, node) in nodes.enumerated() {
            guard case .unit(let unit) = node.kind, let played = units[node.id] else { continue }
            var saved = unit.saved
            saved.id = played.component.id
            if saved.version != SavedUnit.anyVersion { saved.version = played.unitDescription.version.description }
            saved.code = (saved.texts ?? [:]).isEmpty ? nil : played.hosted.knownCode
            var versioned = GraphDocument.Unit(saved)
            versioned.preset = unit.preset
            if saved != unit.saved { document.nodes[index].kind = .unit(versioned) }
        }
        return document
    }

    /// Whether another graph differs in nothing but values of parameters, bypasses and levels, whose frames the render thread notes.
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
                (saved.parameters, saved.isBypassed) = ([:], nil)
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
