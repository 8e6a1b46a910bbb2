// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of a graph by names that the same graph has in another engine, too. Control thread.

import AudioGraph

/// A level of a graph: that of a connection at a mixer, or that of a mixer's output.
package struct GraphLevel: Sendable {
    /// What it is called: `Synth:0 main:0` for a connection, and the mixer's own name for its output.
    package let name: String
    /// What a log of the engine calls it.
    package let logIdentity: UInt
    private let setting: Setting

    private enum Setting {
        case connection(AudioMixingDestination)
        case mixer(AudioMixerNode)
        case environment(AudioEnvironmentNode)
    }

    init(_ name: String, _ connection: AudioMixingDestination) {
        (self.name, logIdentity, setting) = (name, connection.logIdentity, .connection(connection))
    }

    init(_ name: String, _ mixer: AudioMixerNode) {
        (self.name, logIdentity, setting) = (name, mixer.logIdentity, .mixer(mixer))
    }

    init(_ name: String, _ environment: AudioEnvironmentNode) {
        (self.name, logIdentity, setting) = (name, environment.logIdentity, .environment(environment))
    }

    /// Sets it from the next cycle on; an output has no pan.
    package func set(volume: Double, pan: Double) {
        switch setting {
        case .connection(let connection): (connection.volume, connection.pan) = (Float(volume), Float(pan))
        case .mixer(let mixer): mixer.outputVolume = Float(volume)
        case .environment(let environment): environment.outputVolume = Float(volume)
        }
    }
}

extension BuiltGraph {
    /// All levels that a change of the graph's settings or the end of a session moves.
    package var levels: [GraphLevel] {
        let content = content
        let names = content.document.nodes.map(\.id) + [GraphDocument.mainID, GraphDocument.outputID]
        var levels: [GraphLevel] = []
        for (name, node) in zip(names, content.places) {
            if let mixer = node as? AudioMixerNode { levels.append(GraphLevel(name, mixer)) }
            if let environment = node as? AudioEnvironmentNode { levels.append(GraphLevel(name, environment)) }
        }
        for wire in content.wires {
            let (source, destination) = (content.places[wire.source], content.places[wire.destination])
            let connection = (source as? any AudioMixing)?.destination(forMixer: destination, bus: wire.destinationBus)
            let name = "\(names[wire.source]):\(wire.sourceBus) \(names[wire.destination]):\(wire.destinationBus)"
            if let connection { levels.append(GraphLevel(name, connection)) }
        }
        if isScene { levels.append(GraphLevel("everything", engine.mainMixerNode)) }
        return levels
    }
}
