// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A running host's graph, scenes and history, with all operations on them. Any thread.

import AudioGraph
import GraphDocuments
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization

/// A playing graph, with its scenes and a history of edits, as clients see it.
///
/// Edits are made one after the other, on the session's own thread. Settings of units are made at once.
package final class Session: Sendable {
    package let engine: AudioEngine
    /// The rights that the user allows, and those of the units that were started.
    private let granted: Mutex<Allowances>
    /// The plug-ins to choose from; nil for those of the user's installation.
    let plugins: ComponentRegistry?
    /// The server for clients; nil if it got no socket.
    let server: ControlServer?
    /// The wanted name, which is the session's name without a server.
    private let wishedName: String
    /// The reason why clients cannot reach the host; nil if they can.
    package let controlFailure: SystemError?
    let worker: SerialWorker
    /// Searches for plug-ins while edits go on.
    let searcher: SerialWorker
    let state: Mutex<State>
    let monitor = SessionMonitor()
    /// The views that clients have open.
    let views = SessionViews()
    /// The mappings of MIDI.
    let midi: MIDIControl
    /// The server for Open Sound Control; nil if it is switched off.
    let osc = Mutex<OSCServer?>(nil)
    /// The ports of side chains and further outputs.
    let ports = Mutex(Ports())
    /// The capture of the performance; nil unless the user wants one.
    let capture = Mutex<SessionCapture?>(nil)
    /// Rings when a client has changed something, or wants the host to end.
    let wakeUp: EventDescriptor
    private let stopped = Atomic<Bool>(false)

    struct State {
        var graph: BuiltGraph
        var scenes: [SessionScene] = []
        var scene: String?
        var history = EditHistory()
        /// The scenes between which a pedal moves; nil before a client chooses them.
        var morph: Morph?
        /// Graphs that ring out, each with its end.
        var ringing: [(graph: BuiltGraph, until: UInt64)] = []
        /// The host's part in the graph of the desktop: "filter", "sink" or "source"; nil if it is unknown.
        var kind: String?
        /// The last lines of the host and its plug-ins.
        var messages: [String] = []
        /// The number of edits.
        var revision = 0
    }

    /// Takes over a graph with ends of its own (`GraphEnds`), and listens for clients; `begin` serves them.
    ///
    /// The user has given the graph's units their rights. Without a socket the session goes on, and `controlFailure` has the reason.
    /// Throws `SystemError` if no thread starts.
    package init(
        named name: String, _ graph: BuiltGraph, allowing allowances: Allowances = Allowances(),
        in plugins: ComponentRegistry? = nil, ringing wakeUp: EventDescriptor
    ) throws(SystemError) {
        var allowances = allowances
        allowances.grant(graph.startedUnits)
        (engine, self.plugins, self.wakeUp) = (graph.engine, plugins, wakeUp)
        granted = Mutex(allowances)
        wishedName = name
        do throws(SystemError) {
            (server, controlFailure) = (try ControlServer(name: name), nil)
        } catch {
            (server, controlFailure) = (nil, error)
        }
        midi = try MIDIControl()
        worker = try SerialWorker(name: "edits")
        searcher = try SerialWorker(name: "searches")
        state = Mutex(State(graph: graph))
    }

    /// The name of the host for clients.
    package var name: String { server?.listener.address.name ?? wishedName }

    /// The graph that plays.
    package var graph: BuiltGraph { state.withLock { $0.graph } }

    /// Serves clients, and follows MIDI controllers.
    package func begin() throws {
        try server?.begin(self)
        try midi.begin(self)
    }

    /// Ends the service; the graph continues to play.
    package func end() {
        osc.withLock { $0 }?.end()
        midi.end()
        worker.end()
        searcher.abandon()
        views.close { _ in true }
        server?.end()
    }

    /// The rights that the user allows, and those of the units that were started.
    var allowances: Allowances { granted.withLock { $0 } }

    /// Remembers the rights of the graph's units, so that they have them again after `undo`.
    func remember(unitsOf graph: BuiltGraph) { grant(graph.startedUnits) }

    /// Allows units like these, which the user has started.
    func grant(_ units: [(saved: SavedUnit, code: GrantedCode?)]) { granted.withLock { $0.grant(units) } }

    /// Sets the host's part in the graph of the desktop, for clients: "filter", "sink" or "source".
    package func setKind(_ kind: String) { state.withLock { $0.kind = kind } }

    /// Sends watchers a line of the host or of its plug-ins, and keeps it for later clients.
    package func say(_ line: String) {
        state.withLock { state in
            state.messages.append(line)
            if state.messages.count > 200 { state.messages.removeFirst() }
        }
        publish(.messages, .object(["text": .text(line)]))
    }

    /// True once a client wants the host to end.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        wakeUp.ring()
    }

    /// True if the session has a unit, a file or a scene.
    package var isWorthKeeping: Bool {
        let (graph, scenes) = state.withLock { ($0.graph, $0.scenes) }
        return !scenes.isEmpty || graph.document.nodes.contains { $0.kind != .input }
    }

    /// The number of the last edit, and the counts of changed values of nodes, and of settings and MIDI states of units.
    ///
    /// It differs after each change.
    package struct Change: Hashable, Sendable {
        let revision: Int
        let values: Int
        let units: [Int]
        let midi: [UInt64]
    }

    /// The last change.
    package var change: Change {
        let (graph, revision) = state.withLock { ($0.graph, $0.revision) }
        return Change(
            revision: revision, values: graph.valueRevision, units: graph.units.map { $0.unit.resources?.stateRevision ?? 0 },
            midi: graph.units.map { $0.unit.hosted.port.stateRevision })
    }

    /// True while former scenes ring out.
    package var isRinging: Bool { state.withLock { !$0.ringing.isEmpty } }
}
