// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives the events of the render thread the names of the session's graphs. Any thread, one at a time.

import AudioUnits
import GraphDocuments
import PluginHosting
import Rendering

/// The names behind the numbers of a log.
///
/// It keeps only names and parameters, so that a capture prolongs the life of no unit.
struct EventNames {
    private struct Unit {
        let node: String
        let madeBy: Int
        let parameters: ParameterTree
    }

    private var units: [UInt: Unit] = [:]
    private var levels: [UInt: (name: String, madeBy: Int)] = [:]
    /// The parameter trees; units of one plug-in share theirs.
    private var trees: Set<ParameterTree> = []
    /// The changes that made the graphs which play and ring out.
    private var graphs: [ObjectIdentifier: Int] = [:]
    /// The number of edits and scenes so far.
    private(set) var changeCount = 0

    /// Counts an edit or a scene, whose new nodes are added next.
    mutating func countChange() { changeCount += 1 }

    /// Adds the names of a graph after a change; removed nodes keep their names.
    mutating func add(_ graph: BuiltGraph) {
        if graphs[ObjectIdentifier(graph)] == nil { graphs[ObjectIdentifier(graph)] = changeCount }
        for (node, unit) in graph.units where units[unit.hosted.logIdentity] == nil {
            let tree = trees.insert(unit.parameterTree).memberAfterInsert
            units[unit.hosted.logIdentity] = Unit(node: node, madeBy: changeCount, parameters: tree)
        }
        for (name, level) in graph.loggedLevels where levels[level.logIdentity] == nil {
            levels[level.logIdentity] = (name, changeCount)
        }
    }

    /// Forgets a removed graph, and returns the change that made it.
    mutating func remove(_ graph: BuiltGraph) -> Int? { graphs.removeValue(forKey: ObjectIdentifier(graph)) }

    /// The event with names; nil if no graph has had the object of the event.
    func named(_ logged: LoggedEvent) -> CapturedEvent? {
        switch logged.kind {
        case .midi:
            let message = MIDIInputMessage(logged)
            var event = CapturedEvent(.midi, at: logged.frame)
            (event.port, event.bytes) = (message.port, message.bytes)
            return event
        case .plan: return CapturedEvent(.plan, at: logged.frame)
        case .routes:
            var event = CapturedEvent(.routes, at: logged.frame)
            event.routes = logged.address
            return event
        case .rate:
            return Self.unrepeatable("the driver changed to \(Int(exactly: logged.value.rounded()) ?? 0) Hz", at: logged.frame)
        case .level, .output:
            guard let level = levels[logged.source] else { return nil }
            var event = CapturedEvent(.level, at: logged.frame)
            (event.node, event.madeBy, event.value) = (level.name, level.madeBy, logged.value)
            if case .level = logged.kind { event.pan = Double(Float(bitPattern: logged.detail)) }
            return event
        case .parameter, .panic, .bypass, .replaced, .other: return units[logged.source].map { Self.event(logged, of: $0) }
        }
    }

    private static func event(_ logged: LoggedEvent, of unit: Unit) -> CapturedEvent {
        var event = CapturedEvent(.bypass, at: logged.frame)
        (event.node, event.madeBy) = (unit.node, unit.madeBy)
        switch logged.kind {
        case .parameter:
            guard let keyPath = unit.parameters.keyPath(ofAddress: logged.address) else {
                return unrepeatable("\"\(unit.node)\" was sent a parameter that it does not have", at: logged.frame)
            }
            (event.event, event.keyPath, event.value) = (.parameter, keyPath, logged.value)
            event.ramp = logged.detail > 0 ? logged.detail : nil
        case .bypass: event.value = logged.value
        case .panic: event.event = .panic
        case .replaced: (event.event, event.frameCount) = (.replaced, Int64(logged.detail))
        default: return unrepeatable("\"\(unit.node)\" was sent a message by the host", at: logged.frame)
        }
        return event
    }

    static func unrepeatable(_ title: String, at frame: Int64) -> CapturedEvent {
        var event = CapturedEvent(.unrepeatable, at: frame)
        event.title = title
        return event
    }
}

extension LoggedEvent {
    /// True if it is the first level of connections and mixers.
    var isUsualLevel: Bool {
        switch kind {
        case .output: value == 1
        case .level: value == 1 && detail == 0
        default: false
        }
    }
}
