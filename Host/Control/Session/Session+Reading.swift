// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Describes a session to clients: its state, its graph, parameters and presets. Any thread.

import AudioGraph
import AudioUnits
import FoundationEssentials
import GraphDocuments
import JSON
import LinuxSystem
import PluginHosting
import Rendering

extension Session {
    /// The rate, the load, the nodes, and the next steps of undo and redo.
    var status: JSONValue {
        let (graph, scene, scenes, history) = state.withLock { ($0.graph, $0.scene, $0.scenes, $0.history) }
        let (driver, devices, statistics) = (engine.driverStatus, engine.driverDevices, engine.statistics)
        let units = Dictionary(graph.units.map { ($0.name, $0.unit) }) { first, _ in first }
        return .members([
            "host": .text(name), "kind": state.withLock { $0.kind }.map { .text($0) },
            "process": .count(ProcessInfo.processInfo.processIdentifier),
            "sampleRate": engine.sampleRate.map { .number($0) }, "quantum": (driver?.quantum).map { .count($0) },
            "xruns": (driver?.xruns).map { .count($0) }, "cycles": (statistics?.cycles).map { .count($0) },
            "longestCycleMicroseconds": statistics.map { .number(Double($0.longestNanoseconds) / 1000) },
            "latencyFrames": .count(engine.latencyFrameCount), "isRunning": .flag(engine.isRunning),
            "sink": Self.json(devices?.sink), "source": Self.json(devices?.source),
            "scene": scene.map { .text($0) }, "scenes": .list(scenes.map { .text($0.name) }),
            "undo": history.undo.map { .text($0.title) }, "redo": history.redo.map { .text($0.title) },
            "nodes": .list(graph.document.nodes.map { status(of: $0, units[$0.id]) }),
            "connections": .list(graph.document.connections.map { .text("\($0)") }),
            "ports": ports.withLock { $0.isOffered ? .list($0.all.map(\.json)) : nil },
        ])
    }

    /// The device of a side; nil if the side wants none.
    private static func json(_ device: DriverDevice?) -> JSONValue? {
        switch device {
        case .linked(let name)?: .members(["name": .text(name), "isPresent": .flag(true)])
        case .absent?: .members(["isPresent": .flag(false)])
        case .notWanted?, nil: nil
        }
    }

    private func status(of node: GraphDocument.Node, _ unit: PluginUnit?) -> JSONValue {
        var members: [String: JSONValue?] = ["id": .text(node.id), "kind": .text(node.kind.word)]
        if let unit { members.merge(load(of: unit)) { first, _ in first } }
        return .members(members)
    }

    /// The load of a unit, and its state.
    func load(of unit: PluginUnit) -> [String: JSONValue?] {
        let member = unit.resources
        let driver = engine.driverStatus
        let period = driver.map { Double($0.quantum) / max(1, $0.sampleRate) * 1e9 } ?? 0
        let state =
            unit.isQuarantined ? "quarantined" : member == nil ? "left out" : member?.isPresent == true ? "running" : "restarting"
        return [
            "plugin": .text(unit.component.id), "name": .text(unit.name), "state": .text(state),
            "process": unit.processIdentifier.map { .count($0) }, "isBypassed": .flag(unit.shouldBypassEffect),
            "restarts": .count(unit.restartCount), "faults": .count(unit.faults.count),
            "droppedEvents": member.map { .count($0.droppedEventCount) },
            "late": .count(unit.faults.count { $0.fault == .late || $0.fault == .stopped }),
            "worstPercent": monitor.state.withLock { $0.longest[ObjectIdentifier(unit)]?.nanoseconds }.flatMap {
                period > 0 ? .number(Double($0) / period * 100) : nil
            },
            "loadPercent": member.flatMap { period > 0 ? .number(Double($0.renderNanoseconds) / period * 100) : nil },
            "latencyFrames": .count(unit.latencyFrameCount),
        ]
    }

    func json(of document: GraphDocument) throws(ControlError) -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try ReadableJSON.bytes(document)
        } catch {
            throw ControlError(.refused, "The graph cannot be written as JSON: \(error)")
        }
        guard let value = JSONValue(json: bytes) else { throw ControlError(.refused, "The graph cannot be written as JSON.") }
        return value
    }

    /// A unit by the name of its node.
    func unit(_ name: String) throws(ControlError) -> PluginUnit {
        let graph = graph
        if let unit = graph.unit(of: name) { return unit }
        let near = NearestNames.among(graph.units.map(\.name), to: name)
        let hint = near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
        throw ControlError(.notFound, "There is no unit \(ControlRequest.quoted(name)).\(hint)")
    }

    /// The parameters of a unit.
    func parameters(of name: String) throws(ControlError) -> JSONValue {
        let unit = try unit(name)
        let values = unit.parameterValues
        return .list(
            unit.parameterTree.parameters.map { keyPath, described in
                let parameter = engine.sampleRate.map { described.at(sampleRate: $0) } ?? described
                let value = values[parameter.address] ?? parameter.defaultValue
                return .members([
                    "path": .text("\(name).\(keyPath)"), "address": .count(parameter.address),
                    "name": .text(parameter.name), "value": .number(value),
                    "text": .text(parameter.string(from: value)), "minimum": .number(parameter.range.lowerBound),
                    "maximum": .number(parameter.range.upperBound), "default": .number(parameter.defaultValue),
                    "unit": parameter.unit.symbol.isEmpty ? nil : .text(parameter.unit.symbol),
                    "choices": parameter.valueStrings.isEmpty ? nil : .list(parameter.valueStrings.map { .text($0) }),
                    "isReadOnly": parameter.flags.isDisjoint(with: [.readOnly, .meter]) ? nil : true,
                    "isLogarithmic": parameter.flags.contains(.logarithmic) ? true : nil,
                ])
            })
    }

    /// A value, as a number and as text.
    func get(_ path: String) throws(ControlError) -> JSONValue {
        let value = try value(at: path)
        return try json(of: value, path, try present(value).value)
    }

    /// A value for clients: a parameter has a text beside its number.
    func json(of value: HostValue, _ path: String, _ number: Double) throws(ControlError) -> JSONValue {
        guard case .parameter(let node, let keyPath) = value else {
            return .object(["path": .text(path), "value": .number(number)])
        }
        let text = try parameter(keyPath, of: node).parameter.string(from: number)
        return .object(["path": .text(path), "value": .number(number), "text": .text(text)])
    }

    func presets(of name: String) throws(ControlError) -> JSONValue {
        let unit = try unit(name)
        return .object([
            "factory": .list(unit.factoryPresets.map { .text($0.name) }), "user": .list(unit.userPresetNames.map { .text($0) }),
        ])
    }

    func installedPlugins() throws(ControlError) -> JSONValue {
        let registry = try registry(nil)
        return .list(
            registry.components.map { component in
                .members([
                    "id": .text(component.id), "name": .text(component.name), "manufacturer": .text(component.manufacturerName),
                    "isQuarantined": component.quarantineReason == nil ? nil : true,
                ])
            })
    }

    /// The plug-ins that are installed now.
    func registry(_ names: [String]?) throws(ControlError) -> ComponentRegistry {
        if let plugins { return plugins }
        do throws(HostingError) {
            return try HostConfiguration.current.installation.registry(wanting: names)
        } catch {
            throw ControlError(error)
        }
    }
}
