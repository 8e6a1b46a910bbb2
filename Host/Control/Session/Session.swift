// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a running host plays, and all that can be done to it: the graph, its scenes, its history. Any thread.

import AudioGraph
import GraphDocuments
import LinuxSystem
import PluginHosting
import Synchronization

/// A graph that plays, with scenes and a history of edits, as clients see it.
///
/// Edits are made one after the other, on a thread of the session's own. Settings of units are made at once.
package final class Session: Sendable {
    package let engine: AudioEngine
    /// What the user allows, and has given the units that were started.
    private let granted: Mutex<Allowances>
    /// Where plug-ins are looked for; nil: in the user's installation.
    let plugins: ComponentRegistry?
    /// Nil where no socket can be made.
    let server: ControlServer?
    /// The name that was asked for; it is the session's name if there is no server.
    private let wishedName: String
    /// Why clients cannot reach the host; nil if they can.
    package let controlFailure: SystemError?
    let worker: SerialWorker
    /// Looks for plug-ins, while edits go on.
    let searcher: SerialWorker
    let state: Mutex<State>
    let monitor = SessionMonitor()
    /// The views that clients have open.
    let views = SessionViews()
    /// What MIDI moves.
    let midi: MIDIControl
    /// The server for Open Sound Control; nil if it is switched off.
    let osc = Mutex<OSCServer?>(nil)
    /// The ports of side chains and further outputs.
    let ports = Mutex(Ports())
    /// Keeps the performance; nil unless the user wants that.
    let capture = Mutex<SessionCapture?>(nil)
    /// Rings when a client has changed something, or wants the host to end.
    let wakeUp: EventDescriptor
    private let stopped = Atomic<Bool>(false)

    struct State {
        var graph: BuiltGraph
        var scenes: [SessionScene] = []
        var scene: String?
        var history = EditHistory()
        /// The scenes between which a pedal goes; nil before they are chosen.
        var morph: Morph?
        /// Graphs that ring out, and until when.
        var ringing: [(graph: BuiltGraph, until: UInt64)] = []
        /// What the host is in the graph of the desktop: "filter", "sink", "source"; nil: it does not say.
        var kind: String?
        /// The last lines of the host and its plug-ins.
        var messages: [String] = []
        /// Counts the edits.
        var revision = 0
    }

    /// Takes over a graph that was made at ends of its own, and listens for clients; they are served from `begin` on.
    ///
    /// The user has given the graph's units what they have. Without a socket the session goes on, and `controlFailure` says why. Throws
    /// `SystemError` where no thread can be started.
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

    /// What clients call the host.
    package var name: String { server?.listener.address.name ?? wishedName }

    /// The graph that plays.
    package var graph: BuiltGraph { state.withLock { $0.graph } }

    /// Serves clients, and follows MIDI controllers.
    package func begin() throws {
        try server?.begin(self)
        try midi.begin(self)
    }

    /// Ends the service; what plays goes on.
    package func end() {
        osc.withLock { $0 }?.end()
        midi.end()
        worker.end()
        searcher.abandon()
        views.close { _ in true }
        server?.end()
    }

    /// What the user allows, and has given the units that were started.
    var allowances: Allowances { granted.withLock { $0 } }

    /// Remembers what the units of the graph have, so that they have it again after `undo`.
    func remember(unitsOf graph: BuiltGraph) { grant(graph.startedUnits) }

    /// Allows units like these, which the user has started.
    func grant(_ units: [SavedUnit]) { granted.withLock { $0.grant(units) } }

    /// Has clients read what the host is in the graph of the desktop: "filter", "sink" or "source".
    package func setKind(_ kind: String) { state.withLock { $0.kind = kind } }

    /// Tells those who watch a line of the host or of its plug-ins, and keeps it for those who come.
    package func say(_ line: String) {
        state.withLock { state in
            state.messages.append(line)
            if state.messages.count > 200 { state.messages.removeFirst() }
        }
        publish(.messages, .object(["text": .text(line)]))
    }

    /// Whether a client wants the host to end.
    package var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func stop() {
        stopped.store(true, ordering: .relaxed)
        wakeUp.ring()
    }

    /// Whether the session has a unit, a file or a scene.
    package var isWorthKeeping: Bool {
        let (graph, scenes) = state.withLock { ($0.graph, $0.scenes) }
        return !scenes.isEmpty || graph.document.nodes.contains { $0.kind != .input }
    }

    /// Which edit was the last one, and how often values of nodes and settings of each unit have changed: it is another one after each
    /// change.
    package struct Change: Hashable, Sendable {
        let revision: Int
        let values: Int
        let units: [Int]
    }

    /// The change that was the last one.
    package var change: Change {
        let (graph, revision) = state.withLock { ($0.graph, $0.revision) }
        return Change(
            revision: revision, values: graph.valueRevision, units: graph.units.map { $0.unit.resources?.stateRevision ?? 0 })
    }

    /// Whether former scenes ring out.
    package var isRinging: Bool { state.withLock { !$0.ringing.isEmpty } }
}
