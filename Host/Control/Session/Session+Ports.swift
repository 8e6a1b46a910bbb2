// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Offers the side chains and further outputs of units as ports, and connects those that are linked. The session's thread, and the host's.

import AudioGraph
import GraphDocuments
import Rendering
import Synchronization

extension Session {
    /// The ports of units, and whether there are to be any.
    struct Ports {
        var isOffered = false
        var all: [UnitPort] = []
        /// The buses that have got no ports, which are tried again once others have gone or the driver has been away.
        var refused: Set<OpenUnitBus.Key> = []
        /// The buses of the graph's output whose ports the driver has lost, as far as that has been told.
        var lost: Set<String> = []
        /// What could not be, until it is told.
        var messages: [String] = []
    }

    /// Has each side chain and each further output of a unit that nothing is connected to be a port, from now on.
    ///
    /// Does nothing for a driver whose ports stay as they are.
    package func offerUnitPorts() {
        guard engine.changesBuses else { return }
        ports.withLock { $0.isOffered = true }
        followUnitPorts()
    }

    /// Makes the ports those of the units that play, and connects those that something is linked to.
    ///
    /// While nothing is linked to a side chain, it stays disconnected, and the unit hears what it hears then. Call it after each edit,
    /// and about 20 times a second.
    package func followUnitPorts() {
        ports.withLock { ports in
            // While the driver is away, all stays as it is.
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

    /// Which buses have got no ports, or could not be connected, since the last call, as sentences.
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
                // They are made once the driver is back.
                return
            } catch {
                ports.refused.insert(bus.key)
                let reason = error == .noRoom ? "a node has 64 a side, and there is no room" : "\(error)"
                ports.messages.append("\"\(bus.name)\" of \"\(bus.key.node)\" has got no ports: \(reason).")
            }
        }
    }

    /// Removes ports that the driver has lost from the list; the next round adds them again.
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

    /// Connects a port to its unit, or disconnects it, as something is linked to it or not; returns why that cannot be.
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
            // Another thread takes the unit out at this moment; its ports go next.
            if case .notAttached = error { return nil }
            return "The ports \"\(port.name)\" are linked, and not connected to \"\(port.key.node)\": \(error)"
        }
    }
}
