// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds a playing graph's current values, and where the render thread reads them. Control threads, one at a time.

import AudioGraph

/// The values of a playing graph.
struct GraphValues: Sendable {
    /// A value.
    private struct Entry: Sendable {
        /// The current value.
        var value: Double
        /// The value in the document.
        let documented: Double
        /// The place where the render thread reads it.
        let target: Target
        /// The reason why it cannot be set; nil if it can.
        let objection: String?
    }

    /// The place where the render thread reads a value.
    enum Target: Sendable {
        case mixer(AudioMixerNode)
        case environment(AudioEnvironmentNode)
        /// A source at all mixers and environments that it feeds, except connections with a level of their own.
        case source(any AudioMixing, apart: [AudioMixingDestination])
        /// A source that other graphs share, at connections of this one.
        case connections([AudioMixingDestination])
        /// Nowhere: the node has no sound.
        case nowhere
    }

    private var entries: [GraphValue: Entry] = [:]
    /// Counts the changes.
    private(set) var revision = 0

    /// A value; nil if the graph has none of this name.
    subscript(name: GraphValue) -> Double? { entries[name]?.value }

    /// All values.
    var all: [GraphValue: Double] { entries.mapValues(\.value) }

    /// The values that differ from the document's.
    var changed: [GraphValue: Double] { entries.filter { $1.value != $1.documented }.mapValues(\.value) }

    /// Sets a value, and returns the former one; nil if the graph has none of this name.
    mutating func set(_ value: Double, of name: GraphValue) throws(GraphDocumentError) -> Double? {
        guard let entry = entries[name] else { return nil }
        if let objection = entry.objection { throw .malformed(node: name.node, reason: objection) }
        entries[name]?.value = value
        store(name)
        revision += 1
        return entry.value
    }

    /// Gives the render thread a value.
    private func store(_ name: GraphValue) {
        guard let entry = entries[name] else { return }
        func value(_ kind: GraphValue.Kind) -> Float { Float(entries[GraphValue(name.node, kind)]?.value ?? 0) }
        switch (name.kind, entry.target) {
        case (.volume, .mixer(let mixer)): mixer.outputVolume = Float(entry.value)
        case (.volume, .environment(let environment)): environment.outputVolume = Float(entry.value)
        case (.volume, .source(let source, let apart)): source.setVolume(Float(entry.value), apart: apart)
        case (.pan, .source(let source, let apart)): source.setPan(Float(entry.value), apart: apart)
        case (.x, .source(let source, _)), (.y, .source(let source, _)), (.z, .source(let source, _)):
            source.position = Audio3DPoint(x: value(.x), y: value(.y), z: value(.z))
        case (_, .connections(let connections)):
            for connection in connections { connection.take(name.kind, value) }
        case (.listenerX, .environment(let environment)), (.listenerY, .environment(let environment)),
            (.listenerZ, .environment(let environment)):
            environment.listenerPosition = Audio3DPoint(x: value(.listenerX), y: value(.listenerY), z: value(.listenerZ))
        case (.yaw, .environment(let environment)), (.pitch, .environment(let environment)),
            (.roll, .environment(let environment)):
            environment.listenerAngularOrientation = Audio3DAngularOrientation(
                yaw: value(.yaw), pitch: value(.pitch), roll: value(.roll))
        default: break
        }
    }
}

extension GraphValues {
    /// Takes over the values of the next content, and stores those that it changes, after the edit has connected the nodes.
    ///
    /// If the content's document has the same value as `base`, a value set meanwhile stays.
    mutating func follow(
        _ content: GraphContent, _ levels: LevelsApart, from former: GraphContent?, since base: GraphDocument, _ clock: SpaceClock
    ) {
        let stays = Set((former?.places ?? []).map(ObjectIdentifier.init))
        let (known, before) = (entries, base.values)
        let (levelled, nodes) = (LevelledNodes(content.document), content.document.nodes)
        entries = [:]
        var changed: [GraphValue] = []
        for (name, documented) in content.document.values {
            guard let place = content.place(of: name.node) else { continue }
            let isKept = stays.contains(ObjectIdentifier(content.places[place]))
            let present = isKept ? known[name]?.value : nil
            let value = before[name] == documented ? present ?? documented : documented
            entries[name] = Entry(
                value: value, documented: documented, target: content.target(of: name.kind, at: place, levels),
                objection: place < nodes.count ? levelled.objection(to: name.kind, of: nodes[place]) : nil)
            if present.map({ $0 != value }) ?? content.names(name.kind, at: place) { changed.append(name) }
        }
        for name in changed { store(name) }
        content.setLevelsApart(levels, from: former, since: base, self, clock)
        revision += 1
    }

    /// Restores the values from before a failed edit; `edited` are the values that the edit had set.
    ///
    /// A value set since then stays.
    mutating func goBack(to former: GraphValues, from edited: GraphValues) {
        let present = entries
        entries = former.entries
        for (name, entry) in present where former.entries[name] != nil && entry.value != edited.entries[name]?.value {
            entries[name]?.value = entry.value
        }
        for (name, entry) in entries where present[name]?.value != entry.value { store(name) }
        revision += 1
    }
}
