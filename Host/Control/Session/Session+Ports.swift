// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Offers side chains and further outputs of units as ports, and connects linked ones. The session's thread, and the host's.

import AudioGraph
import GraphDocuments
import Rendering
import Synchronization

extension Session {
    /// The ports of units, and whether the session offers them.
    struct Ports {
        var isOffered = false
        var all: [UnitPort] = []
        /// The buses that got no ports; they are tried again after others have gone or the driver has been away.
        var refused: Set<OpenUnitBus.Key> = []
        /// The buses of the graph's output whose ports the driver has lost, as far as a message has said so.
        var lost: Set<String> = []
        /// The messages about failures that the host has not taken yet.
        var messages: [String] = []
    }

    /// Offers each side chain and each further output of a unit as a port from now on, if it has no connection.
    ///
    /// Does nothing if the driver's ports are fixed.
    package func offerUnitPorts() {
        guard engine.changesBuses else { return }
        ports.withLock { $0.isOffered = true }
        followUnitPorts()
    }

    /// Adjusts the ports to the units that play, and connects the linked ones.
    ///
    /// A side chain without a link stays disconnected, and the unit gets its usual input.
    /// Call it after each edit, and about 20 times a second.
    package func followUnitPorts() {
        ports.withLock { ports in
            // All ports stay as they are while the driver is away.
            guard ports.isOffered, engine.hasPorts else {
                ports.refused = []
                return
            }
            forgetLost(&ports)
            let open = graph.openUnitBuses
            let wanted = Dictionary(open.map { ($0.key, $0.unit) }) { first, _ in first }
            for port in ports.all where wanted[port.key] == nil {
                engine.removeFurtherBus(port.number, named: port.name, isInput: port.key.isInput)
                ports.refused = []
            }
            ports.all.removeAll { wanted[$0.key] == nil }
            add(open, to: &ports)
            for index in ports.all.indices {
                if let message = follow(&ports.all[index], wanted[ports.all[index].key]) { ports.messages.append(message) }
            }
        }
    }

    /// Takes the sentences about buses that got no ports, or could not be connected, since the last call.
    package func takeUnitPortMessages() -> [String] {
        ports.withLock { ports in
            defer { ports.messages = [] }
            return ports.messages
        }
    }

    /// Makes the ports that are missing.
    private func add(_ open: [OpenUnitBus], to ports: inout Ports) {
        let known = Set(ports.all.map(\.key))
        for bus in open where !known.contains(bus.key) && !ports.refused.contains(bus.key) {
            let taken = Set(ports.all.map(\.name) + (graph.document.inputBuses + graph.document.outputBuses).map(\.name))
            let name = UnitPort.name(ofUnit: bus.key.node, bus: bus.name, number: bus.key.bus, unlike: taken)
            let wish = DriverBus(name: name, channelCount: bus.key.channelCount)
            do throws(DriverBusError) {
                let number = try engine.addFurtherBus(wish, isInput: bus.key.isInput)
                ports.all.append(UnitPort(key: bus.key, name: name, number: number))
            } catch .notRunning {
                // The ports are made once the driver is back.
                return
            } catch {
                ports.refused.insert(bus.key)
                let reason = error == .noRoom ? "a node has 64 a side, and there is no room" : "\(error)"
                ports.messages.append("\"\(bus.name)\" of \"\(bus.key.node)\" has got no ports: \(reason).")
            }
        }
    }

    /// Removes lost ports from the list; the next round adds them again.
    private func forgetLost(_ ports: inout Ports) {
        for port in ports.all where !engine.hasFurtherBus(named: port.name) {
            engine.removeFurtherBus(port.number, named: port.name, isInput: port.key.isInput)
        }
        ports.all.removeAll { !engine.hasFurtherBus(named: $0.name) }
        let lost = Set(graph.document.outputBuses.map(\.name).filter { !engine.hasFurtherBus(named: $0) })
        for name in lost.subtracting(ports.lost).sorted() {
            ports.messages.append("The output bus \"\(name)\" has lost its ports; it is not heard until the host is started again.")
        }
        ports.lost = lost
    }

    /// Connects a port to its unit if it is linked, and disconnects it otherwise; returns the reason of a failure.
    private func follow(_ port: inout UnitPort, _ unit: AudioNode?) -> String? {
        let isLinked = engine.isFurtherBusLinked(named: port.name)
        guard let unit, isLinked != port.isLinked || isLinked && port.unit !== unit else { return nil }
        (port.isLinked, port.unit) = (isLinked, isLinked ? unit : nil)
        let frame = captureFrame
        defer {
            // A capture does not record the sound of a side chain.
            if port.key.isInput {
                note(unrepeatable: "the ports \"\(port.name)\" were \(isLinked ? "" : "un")linked", since: frame)
            }
        }
        let (bus, number) = (port.key.bus, port.number)
        do throws(AudioEngineError) {
            switch (isLinked, port.key.isInput) {
            case (true, true): try engine.connect(engine.inputNode, to: unit, fromBus: number, toBus: bus)
            case (true, false): try engine.connect(unit, to: engine.outputNode, fromBus: bus, toBus: number)
            case (false, true): engine.disconnectNodeOutput(engine.inputNode, bus: number)
            case (false, false): engine.disconnectNodeInput(engine.outputNode, bus: number)
            }
            return nil
        } catch {
            // Another thread is removing the unit; its ports go next.
            if case .notAttached = error { return nil }
            return "The ports \"\(port.name)\" are linked, and not connected to \"\(port.key.node)\": \(error)"
        }
    }
}
