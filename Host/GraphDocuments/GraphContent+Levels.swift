// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds where the render thread reads a content's values, and the levels of single connections. Control thread.

import AudioGraph

/// The connections with a level of their own, by the places of the nodes that they come from.
struct LevelsApart {
    /// A connection of the document, by its place in the engine.
    struct Own {
        let wire: GraphDocument.Wire
        let connection: GraphDocument.Connection
        let destination: AudioMixingDestination
        /// True for a new connection; a connection that fades out and comes back still has its level.
        let isNew: Bool
    }

    /// The connections to mixers that have or had a level, are new in a playing graph, or are new from a shared source.
    let all: [Own]
    private let volumes: [Int: [AudioMixingDestination]]
    private let pans: [Int: [AudioMixingDestination]]

    init(of content: GraphContent, from former: GraphContent?, since base: GraphDocument) {
        let links = former?.links
        let before = Set(base.connections.filter(\.hasLevel).map(GraphDocument.Ends.init))
        let all = content.wires.compactMap { wire -> Own? in
            let isNew = !(links?[content.output(of: wire)]?.contains(content.input(of: wire)) ?? false)
            guard let connection = wire.connection.map({ content.document.connections[$0] }),
                connection.hasLevel || isNew && (links != nil || content.isShared(wire.source))
                    || before.contains(GraphDocument.Ends(connection)),
                let source = content.places[wire.source] as? any AudioMixing,
                let destination = source.destination(forMixer: content.places[wire.destination], bus: wire.destinationBus)
            else { return nil }
            return Own(wire: wire, connection: connection, destination: destination, isNew: isNew)
        }
        self.all = all
        volumes = Self.bySource(all) { $0.volume != nil }
        pans = Self.bySource(all) { $0.pan != nil }
    }

    private static func bySource(
        _ all: [Own], _ isOwn: (GraphDocument.Connection) -> Bool
    ) -> [Int: [AudioMixingDestination]] {
        Dictionary(grouping: all.filter { isOwn($0.connection) }, by: \.wire.source).mapValues { $0.map(\.destination) }
    }

    /// The connections from a node that do not follow its value.
    func apart(from place: Int, _ kind: GraphValue.Kind) -> [AudioMixingDestination] {
        (kind == .volume ? volumes[place] : kind == .pan ? pans[place] : nil) ?? []
    }
}

extension GraphContent {
    /// The place where the render thread reads a value of a node.
    func target(of kind: GraphValue.Kind, at place: Int, _ levels: LevelsApart) -> GraphValues.Target {
        let (node, described) = (places[place], place < document.nodes.count ? document.nodes[place].kind : nil)
        switch (described, node) {
        case (nil, let mixer as AudioMixerNode), (.mixer, let mixer as AudioMixerNode):
            if kind == .volume { return .mixer(mixer) }
        case (.environment, let environment as AudioEnvironmentNode):
            if kind.ofListener != nil { return .environment(environment) }
        default: break
        }
        guard let source = node as? any AudioMixing else { return .nowhere }
        let apart = levels.apart(from: place, kind)
        guard isShared(place) else { return .source(source, apart: apart) }
        let identities = Set(apart.map(\.logIdentity))
        return .connections(connections(from: place).filter { !identities.contains($0.logIdentity) })
    }

    /// Sets the levels that only the document names, if they differ from those in `base`.
    ///
    /// These are levels of connections, and of mixers at other mixers. Also gives sources and listeners their space.
    func setLevelsApart(
        _ levels: LevelsApart, from former: GraphContent?, since base: GraphDocument, _ values: GraphValues, _ clock: SpaceClock
    ) {
        let known = Dictionary(base.nodes.map { ($0.id, $0) }) { first, _ in first }
        let stays = Set((former?.places ?? []).map(ObjectIdentifier.init))
        for (place, node) in document.nodes.enumerated() {
            let before = stays.contains(ObjectIdentifier(places[place])) ? known[node.id] : nil
            setSpace(of: node, at: place, before: before, clock)
            guard let source = places[place] as? any AudioMixing else { continue }
            guard node.kind.addsUp, node.volume != before?.volume else { continue }
            source.setVolume(Float(node.volume ?? 1), apart: levels.apart(from: place, .volume))
        }
        setLevelsOfConnections(levels, since: base, values)
    }

    private func setLevelsOfConnections(_ levels: LevelsApart, since base: GraphDocument, _ values: GraphValues) {
        let known = Dictionary(base.connections.map { (GraphDocument.Ends($0), $0) }) { first, _ in first }
        for own in levels.all {
            let before = own.isNew ? nil : known[GraphDocument.Ends(own.connection)]
            if own.isNew || own.connection.volume != before?.volume {
                own.destination.volume = Float(own.connection.volume ?? level(.volume, at: own.wire.source, values))
            }
            if own.isNew || own.connection.pan != before?.pan {
                own.destination.pan = Float(own.connection.pan ?? level(.pan, at: own.wire.source, values))
            }
            if own.isNew, isShared(own.wire.source) { setPlace(own, values) }
        }
    }

    /// Gives a new connection the position of its source, which has one of its own in each graph.
    private func setPlace(_ own: LevelsApart.Own, _ values: GraphValues) {
        let node = document.nodes[own.wire.source]
        guard node.position != nil else { return }
        own.destination.take(.x) { Float(values[GraphValue(node.id, $0)] ?? 0) }
    }

    /// The level of a node at all mixers that it feeds.
    private func level(_ kind: GraphValue.Kind, at place: Int, _ values: GraphValues) -> Double {
        guard place < document.nodes.count else { return kind == .volume ? 1 : 0 }
        let node = document.nodes[place]
        if kind == .volume, node.kind.addsUp { return node.volume ?? 1 }
        return values[GraphValue(node.id, kind)] ?? (kind == .volume ? 1 : 0)
    }
}

extension GraphContent {
    /// True if the document names a value of this node that is not the default.
    func names(_ kind: GraphValue.Kind, at place: Int) -> Bool {
        guard place < document.nodes.count else { return document.mainVolume != nil }
        let node = document.nodes[place]
        return switch kind {
        case .volume: node.kind.addsUp || node.volume != nil
        case .pan: node.pan != nil
        default: true
        }
    }
}

extension LevelledNodes {
    /// The reason why a value of a node cannot be set; nil if it can.
    func objection(to kind: GraphValue.Kind, of node: GraphDocument.Node) -> String? {
        switch kind {
        case .volume where !node.kind.addsUp && !mixed.contains(node.id), .pan where !panned.contains(node.id): Self.reason
        default: nil
        }
    }
}

extension GraphDocument.Connection {
    /// True if it has a level in place of its node's.
    fileprivate var hasLevel: Bool { volume != nil || pan != nil }
}
