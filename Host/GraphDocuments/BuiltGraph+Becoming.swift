// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes a graph that plays another one: what both have stays as it is, and goes on to sound. Control thread.

import AudioGraph
import PluginHosting
import Synchronization

extension BuiltGraph {
    /// Makes the graph that of another document in one edit; what goes and what comes is faded.
    ///
    /// A node stays if its name, and what makes it what it is, are the same: the plug-in, its isolation, its texts and its automation, or the
    /// files of a player. A unit that stays takes the settings of the new document. Blocks while plug-ins are started; the
    /// graph goes on to play meanwhile. Throws as `GraphDocument.build` does, and is as before then.
    /// A unit that was not started stays away, unless its node is in `starting`. Where `base` is the document that was edited, nodes and
    /// units take the settings in which the new one differs from it: what has been set meanwhile holds.
    @discardableResult
    package func become(
        _ document: GraphDocument, since base: GraphDocument? = nil, from registry: ComponentRegistry,
        allowing allowances: Allowances, name: String, starting: Set<String> = [], without refused: Set<String> = []
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
            let settings = UnitSettings(from: former, to: next, since: base)
            try settings.apply()
            let ticket: EditTicket
            do throws(GraphDocumentError) {
                ticket = try edit(from: former, to: next, since: base ?? captured)
            } catch {
                settings.revert()
                throw error
            }
            let isPlayedAlike = document.midi == former.document.midi && next.instrumentNodes == former.instrumentNodes
            if isPlayedAlike {
                next.instruments = former.instruments
            } else {
                former.instruments.release(in: engine)
                next.instruments = GraphInstruments(of: next, on: engine)
            }
            content = next
            let change = GraphChange(
                ticket: ticket,
                isOfPlanAlone: isPlayedAlike && !settings.hasStates && next.placesSound(as: former)
                    && !next.hasPlayers(beside: former))
            guard isPlaying else { return change }
            if !isPlayedAlike { next.instruments.sequencer?.begin() }
            let known = Set(former.places.map(ObjectIdentifier.init))
            for case let player as AudioPlayerNode in next.places where !known.contains(ObjectIdentifier(player)) { player.play() }
            return change
        }
    }

    /// The units that have been started, with the settings that they have now.
    package var startedUnits: [SavedUnit] {
        let (document, started) = (captured, content.units)
        return started.keys.sorted().compactMap { place in
            if case .unit(let unit) = document.nodes[place].kind { unit.saved } else { nil }
        }
    }

    /// The document with the settings that nodes and units have now, as far as the host knows them without asking.
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
    /// The content of another document, which has the nodes of this one where they are the same.
    fileprivate func next(
        _ document: GraphDocument, _ new: [Int: Component], _ kept: [Int: Int], _ graph: BuiltGraph
    ) throws(GraphDocumentError) -> GraphContent {
        let files = try document.openedFiles(at: { kept[$0] == nil })
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
            pieces: pieces, songs: try songs(for: document), wires: document.wires(keeping: busesOfMixers),
            engineOutput: engineOutput)
    }

    private func songs(for document: GraphDocument) throws(GraphDocumentError) -> [MIDISongFile] {
        document.midi?.files == self.document.midi?.files && document.folder == self.document.folder
            ? songs : try GraphInstruments.files(of: document)
    }

    /// The nodes of a document whose units were not started here, and which are as they were.
    fileprivate func absent(in document: GraphDocument) -> Set<String> {
        let absent = self.document.units.filter { units[$0.place] == nil }.map { self.document.nodes[$0.place] }
        return Set(absent.filter { node in document.nodes.contains { $0.id == node.id && $0.kind == node.kind } }.map(\.id))
    }

    /// The places of this content whose nodes are the same in another document, by the places there.
    ///
    /// `captured` is this content's document with what its units have now.
    fileprivate func kept(
        for document: GraphDocument, _ components: [Int: Component], as captured: GraphDocument
    ) -> [Int: Int] {
        let own = Dictionary(self.document.nodes.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let ids = units.mapValues(\.component.id)
        var kept: [Int: Int] = [:]
        for (place, node) in document.nodes.enumerated() {
            guard let former = own[node.id], ids[former] == components[place]?.id,
                captured.nodes[former].kind.isSame(as: node.kind), self.document.folder == document.folder
            else { continue }
            kept[place] = former
        }
        return kept
    }
}

extension GraphDocument.Kind {
    /// Whether a node of this kind becomes one of the other by other settings alone.
    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.player(let one), .player(let other)): one == other
        case (.unit(let one), .unit(let other)):
            one.saved.isolation == other.saved.isolation && one.saved.automation == other.saved.automation
                && (one.saved.texts ?? [:]) == (other.saved.texts ?? [:])
        case (.mixer, .mixer), (.environment, .environment), (.input, .input): true
        default: false
        }
    }
}

extension PluginUnit {
    /// The unit as a document holds it, from what the host knows of it.
    func saved(as former: SavedUnit) -> SavedUnit {
        SavedUnit(
            keeping: hosted, automation: former.automation ?? [], fallback: fallback, isBypassed: shouldBypassEffect,
            isolation: former.isolation)
    }
}

/// The settings that units take as their graph becomes another one.
private struct UnitSettings {
    private struct Change {
        let node: String
        let unit: PluginUnit
        let former, next: SavedUnit
        let preset: String?
    }

    private let changes: [Change]

    init(from former: GraphContent, to next: GraphContent, since base: GraphDocument?) {
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
                node: id, unit: unit, former: edited?[id] ?? unit.saved(as: node.saved), next: node.saved,
                preset: isSame ? nil : node.preset)
        }
    }

    /// Whether a unit takes more than values, which it does whenever its process gets to it.
    var hasStates: Bool {
        changes.contains { $0.preset != nil || $0.next.custom != nil && $0.next.custom != $0.former.custom }
    }

    /// Gives the units their settings; all of them, or none if one is refused.
    func apply() throws(GraphDocumentError) {
        for (index, change) in changes.enumerated() {
            do throws(HostingError) {
                if let preset = change.preset { try change.unit.selectPreset(preset) }
                try change.unit.take(change.next, unlike: change.former)
            } catch {
                for change in changes[...index].reversed() { try? change.unit.take(change.former, unlike: nil) }
                throw .unit(node: change.node, error)
            }
        }
    }

    /// Gives the units the settings that they had.
    func revert() {
        for change in changes { try? change.unit.take(change.former, unlike: change.next) }
    }
}

extension PluginUnit {
    /// Takes the settings of a saved unit: its own data where they are others, and values that differ.
    fileprivate func take(_ saved: SavedUnit, unlike former: SavedUnit?) throws(HostingError) {
        if let custom = saved.custom, custom != former?.custom { try saved.restore(into: hosted) }
        for (keyPath, value) in saved.parameters.sorted(by: { $0.key < $1.key })
        where former?.parameters[keyPath] != value && self.value(of: keyPath) != value {
            try setValue(value, of: keyPath)
        }
        let isBypassed = saved.isBypassed ?? false
        if former.map({ ($0.isBypassed ?? false) != isBypassed }) ?? true { shouldBypassEffect = isBypassed }
        fallback = saved.fallback ?? .dry
    }
}
