// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels and modes that are no values of a graph, as they were before an edit: one that fails restores them. Control thread.

import AudioGraph

/// The levels of connections and of mixers at other mixers, and the modes of sources, before an edit changes them.
struct FormerLevels {
    private let sources: [(source: any AudioMixing, mode: AudioSourceMode, volume: Float?)]
    private let connections: [(destination: AudioMixingDestination, volume: Float, pan: Float)]

    init(of content: GraphContent, _ levels: LevelsApart) {
        sources = zip(content.document.nodes, content.places).compactMap { node, place in
            (place as? any AudioMixing).map { ($0, $0.sourceMode, node.kind.addsUp ? $0.volume : nil) }
        }
        connections = levels.all.filter { !$0.isNew }.map { ($0.destination, $0.destination.volume, $0.destination.pan) }
    }

    /// Restores what has changed; the connections last, because a level of their source changes theirs.
    func restore() {
        for (source, mode, volume) in sources {
            if source.sourceMode != mode { source.sourceMode = mode }
            if let volume, source.volume != volume { source.volume = volume }
        }
        for (destination, volume, pan) in connections { (destination.volume, destination.pan) = (volume, pan) }
    }
}
