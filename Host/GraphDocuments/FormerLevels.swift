// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels and spaces that are no values of a graph, as they were before an edit: one that fails restores them. Control thread.

import AudioGraph

/// The levels of connections and of mixers at other mixers, and the space of sources and listeners, before an edit changes them.
struct FormerLevels {
    private let sources: [(source: any AudioMixing, space: SourceSpace, volume: Float?)]
    private let listeners: [(environment: AudioEnvironmentNode, space: ListenerSpace)]
    private let connections: [(destination: AudioMixingDestination, volume: Float, pan: Float)]

    init(of content: GraphContent, _ levels: LevelsApart) {
        sources = zip(content.document.nodes, content.places).compactMap { node, place in
            (place as? any AudioMixing).map { ($0, SourceSpace(of: $0), node.kind.addsUp ? $0.volume : nil) }
        }
        listeners = content.places.compactMap { ($0 as? AudioEnvironmentNode).map { ($0, ListenerSpace(of: $0)) } }
        connections = levels.all.filter { !$0.isNew }.map { ($0.destination, $0.destination.volume, $0.destination.pan) }
    }

    /// Restores what has changed; the connections last, because a level of their source changes theirs.
    func restore() {
        for (environment, space) in listeners { space.give(to: environment) }
        for (source, space, volume) in sources {
            space.give(to: source)
            if let volume, source.volume != volume { source.volume = volume }
        }
        for (destination, volume, pan) in connections { (destination.volume, destination.pan) = (volume, pan) }
    }
}
