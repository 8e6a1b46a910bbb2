// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds and removes buses of the input and the output while the engine plays, with the driver's ports. Any thread but the render thread.

import Rendering

extension AudioEngine {
    /// The driver, if it can add and remove buses while it runs.
    var busDriver: (any AudioDriver)? {
        guard case .driver(let driver) = state.withLock({ $0.mode }), driver.capabilities.contains(.changingBuses) else {
            return nil
        }
        return driver
    }

    /// Makes the output's named buses known to a driver that has just started.
    func offerOutputBuses(_ driver: any AudioDriver) throws(AudioEngineError) {
        guard let output = state.withLock({ $0.graph.outputNode }) else { return }
        let buses = output.furtherBuses
        guard !buses.isEmpty else { return }
        guard driver.capabilities.contains(.changingBuses) else {
            throw .driver(reason: "it has no further outputs, and the output node has \(buses.count)")
        }
        let places = output.further.withLock { $0.channels }
        // The driver may have them since a former start.
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

    /// True if buses can come and go while the engine plays.
    package var changesBuses: Bool { busDriver != nil }

    /// True if buses can come and go now: the engine plays, and its driver runs.
    package var hasPorts: Bool { isRunning && busDriver.map { $0.failure == nil } == true }

    /// Adds a bus to the input or the output, with ports of the driver; returns its number at `inputNode` or `outputNode`.
    ///
    /// The name of the bus must be unique. The bus has no connections yet.
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

    /// Removes a bus that `addFurtherBus` has added, with its connections and ports.
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

    /// True if the driver has the ports of a bus; it may lose them when it starts again.
    package func hasFurtherBus(named name: String) -> Bool { busDriver?.hasBus(named: name) ?? false }

    /// True if something is linked to the ports of a bus that `addFurtherBus` has added.
    package func isFurtherBusLinked(named name: String) -> Bool { busDriver?.isBusLinked(named: name) ?? false }
}
