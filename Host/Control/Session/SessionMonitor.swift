// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Watches peaks, parameters, faults and load of a session, and sends changes to clients. The host's main thread.

import GraphDocuments
import LinuxSystem
import PluginHosting
import Synchronization

/// The last facts that clients got.
final class SessionMonitor: Sendable {
    struct State {
        /// The number of each unit's faults that clients know.
        var faultCounts: [ObjectIdentifier: Int] = [:]
        /// The values that clients know.
        var values: [ObjectIdentifier: [Double]] = [:]
        /// The graph whose node values clients know, the count of their changes, and the values.
        var graph: ObjectIdentifier?
        var valueRevision = 0
        var nodeValues: [GraphValue: Double] = [:]
        /// The longest blocks of each unit.
        var longest: [ObjectIdentifier: LongestBlocks] = [:]
    }

    let state = Mutex(State())
}

extension Session {
    /// Sends clients the changes since the last call; call it about 20 times a second.
    ///
    /// `peaks` are those since the last call.
    package func tick(peaks: (left: Float, right: Float)) {
        if state.withLock({ !$0.ringing.isEmpty }) { worker.add { [self] in removeFormer() } }
        lookAfterViews()
        guard isWatched(Set(ControlTopic.allCases)) else { return monitor.state.withLock { $0 = SessionMonitor.State() } }
        let units = graph.units
        // Facts of a removed unit must not count for a new one at the same address.
        let present = Set(units.map { ObjectIdentifier($0.unit) })
        monitor.state.withLock { state in
            state.values = state.values.filter { present.contains($0.key) }
            state.faultCounts = state.faultCounts.filter { present.contains($0.key) }
            state.longest = state.longest.filter { present.contains($0.key) }
            let now = MonotonicClock.now()
            for (_, unit) in units {
                guard let member = unit.resources else { continue }
                state.longest[ObjectIdentifier(unit), default: LongestBlocks()].add(member.takeLongestRenderNanoseconds(), at: now)
            }
        }
        server?.publishMeters(peaks)
        publish(.meters, .object(["peaks": .list([.number(Double(peaks.left)), .number(Double(peaks.right))])]))
        if isWatched([.load]) {
            publish(.load, .object(Dictionary(units.map { ($0.name, .members(load(of: $0.unit))) }) { first, _ in first }))
        }
        if isWatched([.parameters]) { tellNodeValues() }
        for (name, unit) in units {
            if isWatched([.parameters]) { tellValues(of: unit, name) }
            tellFaults(of: unit, name)
        }
    }

    /// Remembers all values that watchers do not know yet, so that they get later changes.
    func noteValues() {
        _ = takeNodeValues()
        for (_, unit) in graph.units {
            let values = values(of: unit)
            monitor.state.withLock { state in
                if state.values[ObjectIdentifier(unit)] == nil { state.values[ObjectIdentifier(unit)] = values }
            }
        }
    }

    private func values(of unit: PluginUnit) -> [Double] {
        unit.parameterTree.parameters.map { unit.parameterValues[$0.parameter.address] ?? $0.parameter.defaultValue }
    }

    private func tellValues(of unit: PluginUnit, _ name: String) {
        let (key, parameters, values) = (ObjectIdentifier(unit), unit.parameterTree.parameters, values(of: unit))
        let former = monitor.state.withLock { state in
            defer { state.values[key] = values }
            return state.values[key]
        }
        guard let former, former.count == values.count else { return }
        for (index, value) in values.enumerated() where value != former[index] {
            let (keyPath, parameter) = parameters[index]
            publish(
                .parameters,
                .object([
                    "path": .text("\(name).\(keyPath)"), "value": .number(value), "text": .text(parameter.string(from: value)),
                ]))
        }
    }

    private func tellNodeValues() {
        for (name, value) in takeNodeValues() {
            let path = "\(name.node).\(name.kind.rawValue)"
            publish(.parameters, .object(["path": .text(path), "value": .number(value)]))
        }
    }

    /// The node values that have changed since the last call; empty if the graph is new.
    private func takeNodeValues() -> [GraphValue: Double] {
        let graph = graph
        return monitor.state.withLock { state in
            let revision = graph.valueRevision
            let isKnown = state.graph == ObjectIdentifier(graph)
            guard !isKnown || state.valueRevision != revision else { return [:] }
            let former = state.nodeValues
            (state.graph, state.valueRevision, state.nodeValues) = (ObjectIdentifier(graph), revision, graph.nodeValues)
            return isKnown ? state.nodeValues.filter { former[$0.key] != nil && former[$0.key] != $0.value } : [:]
        }
    }

    private func tellFaults(of unit: PluginUnit, _ name: String) {
        let (key, faults) = (ObjectIdentifier(unit), unit.faults)
        let told = monitor.state.withLock { state in
            defer { state.faultCounts[key] = faults.count }
            return state.faultCounts[key] ?? faults.count
        }
        for record in faults.dropFirst(told) {
            publish(
                .faults,
                .object(["node": .text(name), "fault": .text("\(name) \(record.fault)."), "cycle": .count(record.cycle)]))
        }
    }
}
