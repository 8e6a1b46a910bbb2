// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Edits of a session's graph: made on a copy of the document, and heard in one cycle. The session's thread.

import AudioGraph
import AudioUnits
import GraphDocuments
import JSON
import PluginHosting

extension Session {
    /// Edits the document, makes the edit heard, and keeps the graph before.
    func edit(_ title: String, _ body: (inout GraphDocument) throws(ControlError) -> Void) throws(ControlError) {
        let graph = graph
        let former = graph.captured
        var document = former
        try body(&document)
        try become(document, since: former, graph)
        keep(former, title)
        tell(title)
    }

    /// Keeps the graph before an edit for undo.
    ///
    /// Tells the user once if the states of the effects leave less room for undo than usual.
    func keep(_ former: GraphDocument, _ title: String) {
        let forgetsNow = state.withLock { state in
            let hadForgotten = state.history.hasForgotten
            state.history.add(HistoryEntry(title: title, step: .document(former)))
            return state.history.hasForgotten && !hadForgotten
        }
        guard forgetsNow else { return }
        let most = StateBudget().historyByteCount >> 20
        say("The states of the effects are large, so undo goes back fewer steps: it keeps \(most) MiB of them.")
    }

    func become(
        _ document: GraphDocument, since base: GraphDocument, _ graph: BuiltGraph, starting: Set<String> = []
    ) throws(ControlError) {
        let registry = try registry(document.wantedPlugins)
        let frame = captureFrame
        let change: GraphChange
        do throws(GraphDocumentError) {
            change = try graph.become(
                document, since: base, from: registry, allowing: allowances, name: name, starting: starting,
                without: document.quarantined(in: registry).subtracting(starting))
        } catch {
            throw ControlError(error)
        }
        note(change, document, since: base, frame)
        remember(unitsOf: graph)
        let present = Set(graph.units.map { ObjectIdentifier($0.unit) })
        state.withLock { state in
            // A pedal moves only units that are still there.
            if state.morph?.changes.contains(where: { !present.contains(ObjectIdentifier($0.unit)) }) == true { state.morph = nil }
        }
    }

    /// Counts an edit and tells the clients that watch.
    func tell(_ title: String) {
        followUnitPorts()
        let revision = state.withLock { state in
            state.revision += 1
            return state.revision
        }
        publish(.edits, .object(["revision": .count(revision), "title": .text(title)]))
    }

    /// Adds a unit or a mixer; the answer has its name.
    func add(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        let plugin = try request.text("plugin")
        let isMixer = plugin == "mixer"
        let component = isMixer ? nil : try component(plugin)
        let wish = request["id"]?.text ?? component?.name ?? plugin
        if let id = request["id"]?.text, graph.document.nodes.contains(where: { $0.id == id }) {
            throw ControlError(.refused, "There is a node \(ControlRequest.quoted(id)) already. Give this one another id.")
        }
        var id = request["id"]?.text ?? ""
        try edit("add \(wish)") { document throws(ControlError) in
            if id.isEmpty { id = document.freeName(wish) }
            var kind = GraphDocument.Kind.mixer(outputVolume: 1)
            if let component {
                var unit = GraphDocument.Unit(component.id)
                unit.preset = request["preset"]?.text
                kind = .unit(unit)
            }
            let node = GraphDocument.Node(id: id, kind)
            if request["alone"]?.flag == true || component?.makesSound == true {
                document.nodes.append(node)
                guard request["alone"]?.flag != true else { return }
                document.connections.append(.init(from: .init(id), to: .init(try destination(request))))
                document.listen(id)
                return
            }
            try editing { () throws(GraphEditError) in try document.insert(node, at: try spot(request)) }
        }
        return .object(["id": .text(id)])
    }

    /// The node that an instrument is connected to.
    private func destination(_ request: ControlRequest) throws(ControlError) -> String {
        guard request["after"] == nil else {
            throw ControlError(.badField, "An instrument has no input, so it cannot go behind a node; say \"before\".")
        }
        return request["before"]?.text ?? GraphDocument.mainID
    }

    private func component(_ name: String) throws(ControlError) -> Component {
        let registry = try registry([name])
        let component: Component
        do throws(HostingError) { component = try registry.component(named: name) } catch { throw ControlError(error) }
        if let reason = component.quarantineReason {
            throw ControlError(
                .refused, "\"\(component.name)\" is quarantined: it \(reason). Bring it back with `bulkhead unblock`.")
        }
        return component
    }

    func remove(_ name: String) throws(ControlError) -> JSONValue {
        try edit("remove \(name)") { document throws(ControlError) in
            try editing { () throws(GraphEditError) in _ = try document.remove(name) }
        }
        return .null
    }

    func move(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        let name = try request.text("node")
        let spot: GraphDocument.Spot
        do throws(GraphEditError) { spot = try self.spot(request) } catch { throw ControlError(error) }
        try edit("move \(name)") { document throws(ControlError) in
            try editing { () throws(GraphEditError) in try document.move(name, to: spot) }
        }
        return .null
    }

    func connect(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        var connection = GraphDocument.Connection(from: try end("from", request), to: try end("to", request))
        (connection.volume, connection.pan) = (request["volume"]?.number, request["pan"]?.number)
        try edit("connect \(connection)") { document throws(ControlError) in
            try editing { () throws(GraphEditError) in try document.connect(connection) }
        }
        return .null
    }

    func disconnect(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        let (from, to) = (try end("from", request), try end("to", request))
        try edit("disconnect \(from) → \(to)") { document throws(ControlError) in
            try editing { () throws(GraphEditError) in try document.disconnect(from: from, to: to) }
        }
        return .null
    }

    func replace(_ request: ControlRequest) throws(ControlError) -> JSONValue {
        let folder = graph.document.folder
        let next: GraphDocument
        do throws(GraphDocumentError) {
            next = try GraphDocument(json: (request["graph"] ?? .null).json, folder: folder)
        } catch {
            throw ControlError(error)
        }
        try edit("replace the graph") { document throws(ControlError) in document = next }
        return .null
    }

    func undo() throws(ControlError) -> JSONValue {
        guard let entry = state.withLock({ $0.history.takeUndo() }) else {
            throw ControlError(.nothingToDo, "There is nothing to undo.")
        }
        try goBack(to: entry, isUndo: true)
        return .object(["undid": .text(entry.title)])
    }

    func redo() throws(ControlError) -> JSONValue {
        guard let entry = state.withLock({ $0.history.takeRedo() }) else {
            throw ControlError(.nothingToDo, "There is nothing to redo.")
        }
        try goBack(to: entry, isUndo: false)
        return .object(["redid": .text(entry.title)])
    }

    /// Takes the step of an entry, and puts the entry back if that fails.
    private func goBack(to entry: HistoryEntry, isUndo: Bool) throws(ControlError) {
        let former: HistoryEntry.Step
        do throws(ControlError) {
            former = try take(entry.step)
        } catch {
            state.withLock { $0.history.put(entry, toRedo: !isUndo) }
            throw error
        }
        state.withLock { $0.history.put(HistoryEntry(title: entry.title, step: former), toRedo: isUndo) }
        tell("\(isUndo ? "undo" : "redo"): \(entry.title)")
    }

    /// Takes a step, and returns the step that leads back.
    private func take(_ step: HistoryEntry.Step) throws(ControlError) -> HistoryEntry.Step {
        switch step {
        case .values(let changes): return .values(try exchange(changes))
        case .document(let document):
            let (graph, former) = (graph, graph.captured)
            try become(document.keepingMIDI(of: former), since: former, graph)
            return .document(former)
        }
    }

    private func spot(_ request: ControlRequest) throws(GraphEditError) -> GraphDocument.Spot {
        switch (request["after"]?.text, request["before"]?.text) {
        case (let after?, nil): .after(after)
        case (nil, let before?): .before(before)
        case (nil, nil): .end
        case (.some, .some): throw .unclearPlace(node: request["node"]?.text ?? "the node", reason: "both places are named")
        }
    }

    private func end(_ field: String, _ request: ControlRequest) throws(ControlError) -> GraphDocument.End {
        let text = try request.text(field)
        guard let end = GraphDocument.End(text: text) else {
            throw ControlError(.badField, "\(ControlRequest.quoted(text)) is no end of a connection; write NODE or NODE:BUS.")
        }
        return end
    }

    private func editing(_ body: () throws(GraphEditError) -> Void) throws(ControlError) {
        do throws(GraphEditError) { try body() } catch { throw ControlError(error) }
    }
}

extension Component {
    /// True if it needs no audio, as an instrument or a generator.
    fileprivate var makesSound: Bool {
        [ComponentType.instrument.code, ComponentType.generator.code].contains(description.type)
    }
}

extension GraphDocument {
    /// Connects an instrument to MIDI input.
    fileprivate mutating func listen(_ id: String) {
        var midi = midi ?? MIDI()
        if midi.ports.isEmpty, midi.files.isEmpty { midi.ports = [Port(id: AudioMIDIInput.usualPortName)] }
        // Without any route, all messages reach every instrument.
        if !midi.routes.isEmpty { midi.routes.append(Route(to: id)) }
        self.midi = midi
    }
}

extension GraphDocument {
    /// The document with the MIDI state of another one's units of the same names.
    ///
    /// Controllers are no edits: a unit that stays keeps what the player has set meanwhile.
    fileprivate func keepingMIDI(of other: GraphDocument) -> GraphDocument {
        var document = self
        let known = Dictionary(zip(other.unitNodes, other.savedUnits)) { first, _ in first }
        for (index, node) in nodes.enumerated() {
            guard case .unit(var unit) = node.kind, let present = known[node.id] else { continue }
            unit.saved.midi = present.midi
            document.nodes[index].kind = .unit(unit)
        }
        return document
    }

    /// The nodes whose plug-ins are in quarantine: they do not start, and pass their input on.
    func quarantined(in registry: ComponentRegistry) -> Set<String> {
        Set(
            zip(unitNodes, savedUnits).filter { (try? registry.component(named: $0.1.id))?.quarantineReason != nil }.map(\.0))
    }
}
