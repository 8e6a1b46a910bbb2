// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of a graph by names that the same graph has in another engine, too. Control thread.

import Rendering

/// A level of a graph: that of a connection at a mixer, or that of a mixer's output.
package struct GraphLevel: Sendable {
    /// What it is called: `Synth:0 main:0` for a connection, and the mixer's own name for its output.
    package let name: String
    /// What a log of the engine calls it.
    package let logIdentity: UInt
    private let setting: Setting

    private enum Setting {
        case connection(MixingState)
        case output(MixerLevel)
    }

    init(_ name: String, _ state: MixingState) {
        (self.name, logIdentity, setting) = (name, state.logIdentity, .connection(state))
    }

    init(_ name: String, _ level: MixerLevel) {
        (self.name, logIdentity, setting) = (name, level.logIdentity, .output(level))
    }

    /// Sets it from the next cycle on; an output has no pan.
    package func set(volume: Double, pan: Double) {
        switch setting {
        case .connection(let state): (state.volume, state.pan) = (Float(volume), Float(pan))
        case .output(let level): level.volume = Float(volume)
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
            if let mixer = node as? AudioMixerNode { levels.append(GraphLevel(name, mixer.level)) }
            if let environment = node as? AudioEnvironmentNode { levels.append(GraphLevel(name, environment.level)) }
        }
        for wire in content.wires {
            let (source, destination) = (content.places[wire.source], content.places[wire.destination])
            let state = engine.connection(from: source, to: destination, bus: wire.destinationBus)?.mixing
            let name = "\(names[wire.source]):\(wire.sourceBus) \(names[wire.destination]):\(wire.destinationBus)"
            if let state { levels.append(GraphLevel(name, state)) }
        }
        if isScene { levels.append(GraphLevel("everything", engine.mainMixerNode.level)) }
        return levels
    }
}

extension AudioEngine {
    /// What the render thread took, and at which frame, once the log has begun.
    package var eventLog: EventLog { transport.line.log }
}
