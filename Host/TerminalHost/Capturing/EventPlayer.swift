// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes captured changes in the graphs that are heard, between two blocks. Main thread.

import AudioGraph
import Control
import GraphDocuments
import PluginHosting

/// Makes captured changes in the graphs that are heard, and for a while in removed nodes that fade out.
struct EventPlayer {
    private struct Key: Hashable {
        let node: String
        /// The edit or scene that made it.
        let madeBy: Int
    }

    private struct Entry<Value> {
        let value: Value
        /// The object's identity in the engine's log.
        let identity: UInt
        /// The resources that recorded the unit's faults.
        var member: UnitResources?
        /// The frame at which it left the graphs.
        var leftAt: Int64?
    }

    private let engine: AudioEngine
    private var units: [Key: Entry<PluginUnit>] = [:]
    private var levels: [Key: Entry<any LoggedLevel>] = [:]
    private var known: Set<UInt> = []

    init(_ engine: AudioEngine) { self.engine = engine }

    /// Keeps the resources that record the units' faults, before an edit takes them away.
    mutating func keepMembers() {
        for (key, unit) in units { units[key]?.member = unit.value.resources ?? unit.member }
    }

    /// Follows an edit with this number, which made all new units and levels; removed ones get the frame at which they left.
    mutating func follow(_ graphs: [BuiltGraph], change: Int, at frame: Int64) {
        var present: Set<UInt> = []
        for graph in graphs {
            for (node, unit) in graph.units {
                let identity = unit.hosted.logIdentity
                present.insert(identity)
                guard known.insert(identity).inserted else { continue }
                units[Key(node: node, madeBy: change)] = Entry(value: unit, identity: identity)
            }
            for (name, level) in graph.loggedLevels {
                present.insert(level.logIdentity)
                guard known.insert(level.logIdentity).inserted else { continue }
                levels[Key(node: name, madeBy: change)] = Entry(value: level, identity: level.logIdentity)
            }
        }
        for (key, unit) in units where unit.leftAt == nil && !present.contains(unit.identity) { units[key]?.leftAt = frame }
        for (key, level) in levels where level.leftAt == nil && !present.contains(level.identity) { levels[key]?.leftAt = frame }
    }

    /// Removes the units and levels that left before a frame, and returns the resources that recorded the units' faults.
    mutating func removeWhatLeft(before frame: Int64) -> [UnitResources] {
        let gone = units.filter { $0.value.leftAt.map { $0 < frame } ?? false }
        for key in gone.keys { units[key] = nil }
        levels = levels.filter { $0.value.leftAt.map { $0 >= frame } ?? true }
        return gone.values.compactMap { $0.value.resources ?? $0.member }
    }

    /// The resources that recorded the faults of all units that are left.
    var members: [UnitResources] { units.values.compactMap { $0.value.resources ?? $0.member } }

    /// Makes a change, which is heard from the next block on; false if no graph has its object.
    func apply(_ change: CapturedEvent) throws -> Bool {
        if change.event == .plan {
            engine.makePlans()
            return true
        }
        if change.event == .panic {
            guard let unit = change.node.flatMap({ Self.entry($0, change.madeBy, in: units) }) else { return false }
            unit.hosted.port.panic()
            return true
        }
        guard let node = change.node, let value = change.value else { return false }
        switch change.event {
        case .parameter:
            guard let unit = Self.entry(node, change.madeBy, in: units),
                let parameter = change.keyPath.flatMap({ unit.parameterTree[keyPath: $0] })
            else {
                return false
            }
            try unit.hosted.set([(parameter, value)], rampFrameCount: change.ramp ?? 0)
        case .bypass:
            guard let unit = Self.entry(node, change.madeBy, in: units) else { return false }
            unit.shouldBypassEffect = value != 0
        case .level:
            guard let level = Self.entry(node, change.madeBy, in: levels) else { return false }
            level.setLevel(volume: Float(value), pan: Float(change.pan ?? 0))
        case .midi, .edit, .scene, .removal, .plan, .panic, .routes, .replaced, .unrepeatable, .end: return false
        }
        return true
    }

    /// The entry for a name: the one that this change made, otherwise the last one made before.
    private static func entry<Value>(_ node: String, _ madeBy: Int?, in entries: [Key: Entry<Value>]) -> Value? {
        if let madeBy, let entry = entries[Key(node: node, madeBy: madeBy)] { return entry.value }
        let named = entries.filter { $0.key.node == node && $0.key.madeBy <= madeBy ?? .max }
        return named.max { $0.key.madeBy < $1.key.madeBy }?.value.value
    }

    /// Sends a message of MIDI as input at its frame.
    func send(_ message: CapturedEvent, _ frame: Int64) {
        engine.midiInput.send(message.bytes ?? [], port: Int(message.port ?? 0), at: frame)
    }
}
