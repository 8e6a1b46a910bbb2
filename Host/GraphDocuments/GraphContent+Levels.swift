// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where the render thread reads the values of a content, and the levels that connections have for themselves. Control thread.

import AudioGraph

/// The connections with a level of their own, by the places of the nodes that they come from.
struct LevelsApart {
    /// A connection of the document, where it is in the engine.
    struct Own {
        let wire: GraphDocument.Wire
        let connection: GraphDocument.Connection
        let destination: AudioMixingDestination
        /// Whether it was not there before; one that fades out, and comes back, still has the level that it had.
        let isNew: Bool
    }

    /// The connections to mixers that have a level, had one, are new in a graph that plays, or new from a source that others hear, too.
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

    /// The connections from a node that do not follow a value of it.
    func apart(from place: Int, _ kind: GraphValue.Kind) -> [AudioMixingDestination] {
        (kind == .volume ? volumes[place] : kind == .pan ? pans[place] : nil) ?? []
    }
}

extension GraphContent {
    /// Where the render thread reads a value of the node at a place.
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

    /// Sets the levels that the document alone names, where they are others than in `base`: those of connections, and those of mixers at
    /// other mixers; and says which sources have a place.
    func setLevelsApart(
        _ levels: LevelsApart, from former: GraphContent?, since base: GraphDocument, _ values: GraphValues
    ) {
        let known = Dictionary(base.nodes.map { ($0.id, $0) }) { first, _ in first }
        let stays = Set((former?.places ?? []).map(ObjectIdentifier.init))
        for (place, node) in document.nodes.enumerated() {
            guard let source = places[place] as? any AudioMixing else { continue }
            let before = stays.contains(ObjectIdentifier(source)) ? known[node.id] : nil
            // Without a place its channels go through an environment as they are.
            let mode: AudioSourceMode = node.position == nil ? .bypass : .pointSource
            if isShared(place) {
                for connection in connections(from: place) where connection.hasPlace { connection.sourceMode = mode }
            } else if source.sourceMode != mode {
                source.sourceMode = mode
            }
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

    /// Gives a new connection the place of its source, which has one of its own in each graph.
    private func setPlace(_ own: LevelsApart.Own, _ values: GraphValues) {
        let node = document.nodes[own.wire.source]
        guard node.position != nil else { return }
        own.destination.take(.x) { Float(values[GraphValue(node.id, $0)] ?? 0) }
    }

    /// The level of the node at a place, at all mixers that it feeds.
    private func level(_ kind: GraphValue.Kind, at place: Int, _ values: GraphValues) -> Double {
        guard place < document.nodes.count else { return kind == .volume ? 1 : 0 }
        let node = document.nodes[place]
        if kind == .volume, node.kind.addsUp { return node.volume ?? 1 }
        return values[GraphValue(node.id, kind)] ?? (kind == .volume ? 1 : 0)
    }
}

extension GraphContent {
    /// Whether the document names a value of the node at a place, and does not leave it as usual.
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
    /// Why a value of a node cannot be set; nil if it can.
    func objection(to kind: GraphValue.Kind, of node: GraphDocument.Node) -> String? {
        switch kind {
        case .volume where !node.kind.addsUp && !mixed.contains(node.id), .pan where !panned.contains(node.id): Self.reason
        default: nil
        }
    }
}

extension GraphDocument.Connection {
    /// Whether it has a level in place of its node's.
    fileprivate var hasLevel: Bool { volume != nil || pan != nil }
}
