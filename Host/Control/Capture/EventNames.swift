// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Gives what the render thread noted the names of the session's graph. The capture's thread.

import AudioGraph
import PluginHosting
import Rendering

/// The names of what a log knows by numbers.
struct EventNames {
    private var units: [UInt: (node: String, unit: PluginUnit)] = [:]
    private var levels: [UInt: String] = [:]

    /// Adds the names of a graph; what it no longer has keeps its name.
    mutating func add(_ graph: BuiltGraph) {
        for (node, unit) in graph.units { units[unit.hosted.logIdentity] = (node, unit) }
        for level in graph.levels { levels[level.logIdentity] = level.name }
    }

    /// The event with names; nil where no graph has had what it is about.
    func named(_ logged: LoggedEvent) -> CapturedEvent? {
        switch logged.kind {
        case .midi:
            let message = MIDIInputMessage(logged)
            var event = CapturedEvent(.midi, at: logged.frame)
            (event.port, event.bytes) = (message.port, message.bytes)
            return event
        case .plan: return CapturedEvent(.plan, at: logged.frame)
        case .rate:
            return Self.unrepeatable("the driver changed to \(Int(logged.value)) Hz", at: logged.frame)
        case .level, .output:
            guard let name = levels[logged.source] else { return nil }
            var event = CapturedEvent(.level, at: logged.frame)
            (event.node, event.value) = (name, logged.value)
            if case .level = logged.kind { event.pan = Double(Float(bitPattern: logged.detail)) }
            return event
        case .parameter, .bypass, .replaced, .other:
            return units[logged.source].map { Self.event(logged, of: $0.node, $0.unit) }
        }
    }

    private static func event(_ logged: LoggedEvent, of node: String, _ unit: PluginUnit) -> CapturedEvent {
        var event = CapturedEvent(.bypass, at: logged.frame)
        event.node = node
        switch logged.kind {
        case .parameter:
            guard let keyPath = unit.parameterTree.keyPath(ofAddress: logged.address) else {
                return unrepeatable("\"\(node)\" was sent a parameter that it does not have", at: logged.frame)
            }
            (event.event, event.keyPath, event.value) = (.parameter, keyPath, logged.value)
            event.ramp = logged.detail > 0 ? logged.detail : nil
        case .bypass: event.value = logged.value
        case .replaced: (event.event, event.frameCount) = (.replaced, Int64(logged.detail))
        default: return unrepeatable("\"\(node)\" was sent a message by the host", at: logged.frame)
        }
        return event
    }

    static func unrepeatable(_ title: String, at frame: Int64) -> CapturedEvent {
        var event = CapturedEvent(.unrepeatable, at: frame)
        event.title = title
        return event
    }
}
