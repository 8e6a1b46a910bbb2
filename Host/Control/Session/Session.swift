// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a running host plays, and all that can be done to it: the graph, its scenes, its history. Any thread.

import AudioGraph
import LinuxSystem
import PluginHosting
import Synchronization

/// A graph that plays, with scenes and a history of edits, as clients see it.
///
/// Edits are made one after the other, on a thread of the session's own. Settings of units are made at once.
package final class Session: Sendable {
    package let engine: AudioEngine
    /// What the graph's input is; nil: the engine's.
    private let input: AudioNode?
    let allowances: Allowances
    let server: ControlServer
    let worker: SerialWorker
    let state: Mutex<State>
    let monitor = SessionMonitor()
    /// Rings when a client wants the host to end.
    private let stopping: EventDescriptor
    private let stopped = Atomic<Bool>(false)

    struct State {
        var graph: BuiltGraph
        var scenes: [SessionScene] = []
        var scene: String?
        var history = EditHistory()
        /// Graphs that ring out, and until when.
        var ringing: [(graph: BuiltGraph, until: UInt64)] = []
        /// Counts the edits.
        var revision = 0
    }

    /// Builds the graph in an engine and listens for clients; they are served from `begin` on.
    ///
    /// Throws `GraphDocumentError`, and `SystemError` where no socket can be made.
    package init(
        named name: String, _ document: GraphDocument, in engine: AudioEngine, input: AudioNode? = nil,
        from registry: ComponentRegistry, allowing allowances: Allowances, ringing stopping: EventDescriptor
    ) throws {
        (self.engine, self.input, self.allowances, self.stopping) = (engine, input, allowances, stopping)
        server = try ControlServer(name: name)
        worker = try SerialWorker(name: "edits")
        let graph = try document.build(
            into: engine, from: registry, allowing: allowances, name: name, at: .scene(name, input: input))
        state = Mutex(State(graph: graph))
    }

    /// What clients call the host.
    package var name: String { server.listener.address.name }

    /// The graph that plays.
    package var graph: BuiltGraph { state.withLock { $0.graph } }

    /// Serves clients.
    package func begin() throws { try server.begin(self) }

    /// Ends the service; what plays goes on.
    package func end() {
        worker.end()
        server.end()
    }

    /// Whether a client wants the host to end.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        stopping.ring()
    }

    /// Counts all edits, and all changes to the units' settings that the host knows of.
    package var changeCount: Int {
        let (graph, revision) = state.withLock { ($0.graph, $0.revision) }
        return graph.units.reduce(revision) { $0 &+ ($1.unit.member?.stateRevision ?? 0) }
    }
}
