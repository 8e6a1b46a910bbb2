// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buses of the input and the output that come and go while the engine plays, with the driver's ports. Any thread but the render thread.

import Rendering

extension AudioEngine {
    /// The driver, if its further buses come and go.
    var busDriver: (any AudioDriver)? {
        guard case .driver(let driver) = state.withLock({ $0.mode }), driver.capabilities.contains(.changingBuses) else {
            return nil
        }
        return driver
    }

    /// Gives a driver that has just been started the output's buses that were named.
    func offerOutputBuses(_ driver: any AudioDriver) throws(AudioEngineError) {
        guard let output = state.withLock({ $0.graph.outputNode }) else { return }
        let buses = output.furtherBuses
        guard !buses.isEmpty else { return }
        guard driver.capabilities.contains(.changingBuses) else {
            throw .driver(reason: "it has no further outputs, and the output node has \(buses.count)")
        }
        let places = output.further.withLock { $0.channels }
        // They may be there from a start before.
        for bus in buses { driver.removeBus(named: bus.name) }
        for (bus, place) in zip(buses, places) {
            let start: Int
            do throws(DriverBusError) {
                start = try driver.addBus(bus, isInput: false)
            } catch {
                throw .driver(reason: "it has not made the \(bus.channelCount) ports of \"\(bus.name)\": \(error)")
            }
            guard start == place.lowerBound else {
                throw .driver(reason: "it has other ports where those of \"\(bus.name)\" belong")
            }
        }
    }

    /// Whether buses can come and go while the engine plays.
    package var changesBuses: Bool { busDriver != nil }

    /// Whether buses can come and go now: the engine plays, and its driver has not gone.
    package var hasPorts: Bool { isRunning && busDriver.map { $0.failure == nil } == true }

    /// Adds a bus to the input or the output, with ports of the driver's; returns its number at `inputNode` or `outputNode`.
    ///
    /// The bus has a name that no other one has. Nothing is connected to it yet.
    package func addFurtherBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int {
        let (input, output) = (isInput ? inputNode : nil, outputNode)
        return try editLock.withLock { () throws(DriverBusError) in
            guard let driver = busDriver else { throw .notRunning }
            let start = try driver.addBus(bus, isInput: isInput)
            let count = bus.channelCount
            return input?.further.withLock { $0.add(channelCount: count, at: start) }
                ?? output.further.withLock { $0.add(channelCount: count, at: start) }
        }
    }

    /// Takes a bus away that `addFurtherBus` has added: what it is connected to is disconnected, and the ports go.
    package func removeFurtherBus(_ number: Int, named name: String, isInput: Bool) {
        let (input, output) = (isInput ? inputNode : nil, outputNode)
        if let input {
            disconnectNodeOutput(input, bus: number)
        } else {
            disconnectNodeInput(output, bus: number)
        }
        editLock.withLock {
            busDriver?.removeBus(named: name)
            if let input { input.further.withLock { $0.remove(number) } } else { output.further.withLock { $0.remove(number) } }
        }
    }

    /// Whether the driver has the ports of a bus, which it may lose when it is started again.
    package func hasFurtherBus(named name: String) -> Bool { busDriver?.hasBus(named: name) ?? false }

    /// Whether something is linked to the ports of a bus that `addFurtherBus` has added.
    package func isFurtherBusLinked(named name: String) -> Bool { busDriver?.isBusLinked(named: name) ?? false }
}
