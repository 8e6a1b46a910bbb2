// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes captured changes in a graph, between two blocks. Main thread.

import AudioGraph
import Control
import PluginHosting

/// Makes captured changes in a graph.
struct EventPlayer {
    private let engine: AudioEngine
    private let units: [String: PluginUnit]
    private let levels: [String: GraphLevel]

    /// The graph has to be made already.
    init(_ graph: BuiltGraph) {
        engine = graph.engine
        units = Dictionary(graph.units.map { ($0.name, $0.unit) }) { first, _ in first }
        levels = Dictionary(graph.levels.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Makes a change, which is heard from the next block on; false if the graph does not have what it is about.
    func apply(_ change: CapturedEvent) throws -> Bool {
        if change.event == .plan {
            engine.makePlans()
            return true
        }
        guard let node = change.node, let value = change.value else { return false }
        switch change.event {
        case .parameter:
            guard let unit = units[node], let parameter = change.keyPath.flatMap({ unit.parameterTree[keyPath: $0] }) else {
                return false
            }
            try unit.hosted.set([(parameter, value)], rampFrameCount: change.ramp ?? 0)
        case .bypass:
            guard let unit = units[node] else { return false }
            unit.shouldBypassEffect = value != 0
        case .level:
            guard let level = levels[node] else { return false }
            level.set(volume: value, pan: change.pan ?? 0)
        case .midi, .edit, .scene, .removal, .plan, .replaced, .unrepeatable, .end: return false
        }
        return true
    }

    /// Sends a message of MIDI as if it had come in at its frame.
    func send(_ message: CapturedEvent, _ frame: Int64) {
        engine.midiInput.send(message.bytes ?? [], port: Int(message.port ?? 0), at: frame)
    }
}
