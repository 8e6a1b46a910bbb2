// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes a playing graph into that of another document; nodes in both stay and go on sounding. Control thread.

import AudioGraph
import LinuxSystem
import PluginHosting
import Synchronization

extension BuiltGraph {
    /// Changes the graph into that of another document in one edit; new nodes fade in and old ones fade out.
    ///
    /// A node stays if its name and its identity are the same. A unit's identity is its plug-in, isolation, texts and automation; a
    /// player's is its files. A unit that stays takes the settings of the new document. The call blocks while plug-ins are started; the
    /// graph plays on meanwhile. Throws as `GraphDocument.build` does, and leaves the graph as it was.
    /// A unit that was not started stays away, unless its node is in `starting`. `base` is the document that was edited, if there is one.
    /// Nodes and units then take only the settings in which the new document differs from it; settings made meanwhile stay.
    /// With `holdsMIDI` the instruments receive MIDI as before, until `GraphChange.heldMIDI` is called.
    @discardableResult
    package func become(
        _ document: GraphDocument, since base: GraphDocument? = nil, from registry: ComponentRegistry,
        allowing allowances: Allowances, name: String, starting: Set<String> = [], without refused: Set<String> = [],
        holdsMIDI: Bool = false
    ) throws(GraphDocumentError) -> GraphChange {
        try becoming.withLock { _ throws(GraphDocumentError) in
            if let defect = document.defects.first { throw defect }
            let former = content
            guard document.inputBuses == former.document.inputBuses else {
                throw .malformed(
                    node: nil, reason: "its \"inputBuses\" are not those that play, which stay until the host is started again")
            }
            guard document.outputBuses == former.document.outputBuses else {
                throw .malformed(
                    node: nil, reason: "its \"outputBuses\" are not those that play, which stay until the host is started again")
            }
            let components = try document.placedComponents(in: registry, without: former.absent(in: document).subtracting(starting))
            let kept = former.kept(for: document, components, as: captured)
            let new = components.filter { kept[$0.key] == nil && !refused.contains(document.nodes[$0.key].id) }
            try document.check(new, in: registry, allowing: allowances, name: name)
            try document.checkRoutes(to: components)
            var next = try former.next(document, new, kept, self)
            let settings = UnitSettings(from: former, to: next, since: base, engine)
            try settings.apply()
            let ticket: EditTicket
            do throws(GraphDocumentError) {
                ticket = try edit(from: former, to: next, since: base ?? captured)
            } catch {
                settings.revert()
                throw error
            }
            let isPlayedAlike =
                document.midi == former.document.midi && document.hasSongs(of: former.document)
                && next.instrumentNodes == former.instrumentNodes
            next.instruments = former.instruments
            content = next
            let made = next
            let play = { @Sendable [self] in _ = playInstruments(of: made, replacing: instruments) }
            let routes = isPlayedAlike || holdsMIDI ? nil : playInstruments(of: made, replacing: former.instruments)
            let isOfRoutesAlone = isPlayedAlike || !instruments.hasSong(beside: former.instruments)
            let change = GraphChange(
                ticket: ticket,
                isOfPlanAlone: isOfRoutesAlone && !settings.hasStates && next.placesSound(as: former)
                    && !next.hasPlayers(beside: former),
                routes: routes, heldMIDI: !isPlayedAlike && holdsMIDI ? play : nil)
            guard isPlaying else { return change }
            if !isPlayedAlike { instruments.sequencer?.begin() }
            let known = Set(former.places.map(ObjectIdentifier.init))
            for case let player as AudioPlayerNode in next.places where !known.contains(ObjectIdentifier(player)) { player.play() }
            return change
        }
    }

    /// The started units with their current settings, and the code with which each was started.
    package var startedUnits: [(saved: SavedUnit, code: GrantedCode?)] {
        let (document, started) = (captured, content.units)
        return started.sorted { $0.key < $1.key }.compactMap { place, unit in
            guard case .unit(let node) = document.nodes[place].kind else { return nil }
            return (node.saved, GrantedCode(of: unit.hosted))
        }
    }

    /// The document with the current settings of nodes and units, as far as the host knows them without asking.
    package var captured: GraphDocument {
        captureCount.add(1, ordering: .relaxed)
        let content = content
        var document = content.document
        document.set(values.withLock { $0.changed })
        for (place, unit) in content.units {
            guard case .unit(let former) = document.nodes[place].kind else { continue }
            document.nodes[place].kind = .unit(GraphDocument.Unit(unit.saved(as: former.saved)))
        }
        return document
    }
}

extension GraphContent {
    /// Makes the content of another document, and keeps the nodes that are the same.
    fileprivate func next(
        _ document: GraphDocument, _ new: [Int: Component], _ kept: [Int: Int], _ graph: BuiltGraph
    ) throws(GraphDocumentError) -> GraphContent {
        let files = try document.openedFiles(at: { kept[$0] == nil })
        let listeners = try listeners(for: document, kept)
        var units = try document.startedUnits(of: new)
        for (place, former) in kept { units[place] = self.units[former] }
        let pieces = files.merging(kept.compactMap { place, former in self.pieces[former].map { (place, $0) } }) { first, _ in first
        }
        let input = graph.ends.input ?? graph.engine.inputNode(if: document.readsInput)
        let made = document.nodes.indices.map { place in
            kept[place].map { places[$0] }
                ?? document.nodes[place].made(for: units[place], input: input, isInChain: graph.ends.isChain)
        }
        return GraphContent(
            document: document, places: made + [graph.ends.main, graph.ends.output], units: units,
            pieces: pieces, listeners: listeners, songs: try songs(for: document), wires: document.wires(keeping: busesOfMixers),
            engineOutput: engineOutput)
    }

    /// The files of another document's listeners; those that stay are not read again.
    private func listeners(
        for document: GraphDocument, _ kept: [Int: Int]
    ) throws(GraphDocumentError) -> [Int: ListenerFiles] {
        let same = kept.filter { place, former in
            guard let names = document.listenerFileNames(at: place) else { return false }
            return names == self.document.listenerFileNames(at: former)
        }
        let read = try document.openedListeners(at: { same[$0] == nil })
        return read.merging(same.compactMap { place, former in self.listeners[former].map { (place, $0) } }) { first, _ in first }
    }

    private func songs(for document: GraphDocument) throws(GraphDocumentError) -> [MIDISongFile] {
        document.midi?.files == self.document.midi?.files && document.hasSongs(of: self.document)
            ? songs : try GraphInstruments.files(of: document)
    }

    /// The nodes of a document that are unchanged, and whose units were not started here.
    fileprivate func absent(in document: GraphDocument) -> Set<String> {
        let absent = self.document.units.filter { units[$0.place] == nil }.map { self.document.nodes[$0.place] }
        return Set(absent.filter { node in document.nodes.contains { $0.id == node.id && $0.kind == node.kind } }.map(\.id))
    }

    /// The places of this content whose nodes are the same in another document, by the places there.
    ///
    /// `captured` is this content's document with the current settings of its units.
    fileprivate func kept(
        for document: GraphDocument, _ components: [Int: Component], as captured: GraphDocument
    ) -> [Int: Int] {
        let own = Dictionary(self.document.nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let ids = units.mapValues(\.component.id)
        var kept: [Int: Int] = [:]
        for (place, node) in document.nodes.enumerated() {
            guard let former = own[node.id], ids[former] == components[place]?.id,
                captured.nodes[former].kind.isSame(as: node.kind), self.document.folder.isExactly(document.folder)
            else { continue }
            kept[place] = former
        }
        return kept
    }
}

extension GraphDocument.Kind {
    /// True if a node of this kind becomes one of the other kind by other settings alone.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.player(let one), .player(let other)):
            one == other && zip(one.files, other.files).allSatisfy { $0.path.isExactly($1.path) }
        case (.unit(let one), .unit(let other)):
            one.saved.isolation == other.saved.isolation && one.saved.automation == other.saved.automation
                && Self.exact(one.saved.texts) == Self.exact(other.saved.texts)
        case (.mixer, .mixer), (.environment, .environment), (.input, .input): true
        default: false
        }
    }

    /// Texts that are equal only with the same bytes, because a text may be a path.
    private static func exact(_ texts: [String: String]?) -> [String: ExactPath] { (texts ?? [:]).mapValues { ExactPath($0) } }
}

extension GraphDocument {
    /// True if the MIDI files of two documents are the same, by the bytes of their paths.
    fileprivate func hasSongs(of other: GraphDocument) -> Bool {
        let (own, others) = (midi?.files ?? [], other.midi?.files ?? [])
        return folder.isExactly(other.folder) && own.count == others.count
            && zip(own, others).allSatisfy { $0.path.isExactly($1.path) }
    }
}

extension PluginUnit {
    /// The unit as a document holds it, from the host's knowledge.
    func saved(as former: SavedUnit) -> SavedUnit {
        SavedUnit(
            keeping: hosted, automation: former.automation ?? [], fallback: fallback, isBypassed: shouldBypassEffect,
            isolation: former.isolation)
    }
}

/// The settings that units take when their graph changes into another one.
private struct UnitSettings {
    private struct Change {
        let node: AudioNode
        let unit: PluginUnit
        let former, next: SavedUnit
        let preset: String?
    }

    private let changes: [Change]
    private let engine: AudioEngine

    init(from former: GraphContent, to next: GraphContent, since base: GraphDocument?, _ engine: AudioEngine) {
        self.engine = engine
        let edited = base.map { Dictionary(zip($0.unitNodes, $0.savedUnits)) { first, _ in first } }
        changes = next.units.sorted { $0.key < $1.key }.compactMap { place, unit in
            guard former.units.values.contains(where: { $0 === unit }), case .unit(let node) = next.document.nodes[place].kind
            else {
                return nil
            }
            let id = next.document.nodes[place].id
            let known = former.place(of: id).map { former.document.nodes[$0].kind }
            let isSame = known == next.document.nodes[place].kind && node.preset != nil
            return Change(
                node: next.places[place], unit: unit, former: edited?[id] ?? unit.saved(as: node.saved), next: node.saved,
                preset: isSame ? nil : node.preset)
        }
    }

    /// True if a unit takes more than values; its process takes the rest when it gets to it.
    var hasStates: Bool {
        changes.contains { change in
            change.preset != nil || change.next.custom != nil && change.next.custom != change.former.custom
                || change.next.midi != nil && change.next.midi != change.former.midi
        }
    }

    /// Gives the units their settings; all of them, or none if one unit refuses.
    func apply() throws(GraphDocumentError) {
        for (index, change) in changes.enumerated() {
            do throws(HostingError) {
                if let preset = change.preset { try change.unit.selectPreset(preset) }
                try change.unit.take(change.next, unlike: change.former)
            } catch {
                for change in changes[...index].reversed() { takeBack(change, unlike: nil) }
                throw .unit(node: change.node.name, error)
            }
        }
    }

    /// Gives the units their former settings back.
    func revert() { for change in changes { takeBack(change, unlike: change.next) } }

    /// Gives a unit its former settings back; the engine keeps why it does not take them.
    private func takeBack(_ change: Change, unlike taken: SavedUnit?) {
        do throws(HostingError) {
            try change.unit.take(change.former, unlike: taken)
        } catch {
            engine.keep(.unit(node: NamedNode(change.node), error))
        }
    }
}

extension PluginUnit {
    /// Takes the settings of a saved unit: its own data if it differs, and values that differ.
    fileprivate func take(_ saved: SavedUnit, unlike former: SavedUnit?) throws(HostingError) {
        if let custom = saved.custom, custom != former?.custom { try saved.restore(into: hosted) }
        if let midi = saved.midi, midi != former?.midi { try midi.send(to: hosted) }
        for (keyPath, value) in saved.parameters.sorted(by: { $0.key < $1.key })
        where former?.parameters[keyPath] != value && self.value(of: keyPath) != value {
            try setValue(value, of: keyPath)
        }
        let isBypassed = saved.isBypassed ?? false
        if former.map({ ($0.isBypassed ?? false) != isBypassed }) ?? true { shouldBypassEffect = isBypassed }
        fallback = saved.fallback ?? .dry
    }
}
