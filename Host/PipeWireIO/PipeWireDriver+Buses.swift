// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node's further ports, which are added and removed while it runs. Control thread.

import CPipeWireShims
import Rendering
import Synchronization

/// A bus that was added while a node ran.
struct AddedBus {
    let bus: DriverBus
    let isInput: Bool
    /// The position of its first channel after the main channels.
    let place: Int

    var places: Range<Int> { place..<place + bus.channelCount }

    /// Makes the ports of a node, all of them or none.
    func add(to node: OpaquePointer) -> Bool {
        for (place, port) in zip(places, bus.ports) {
            guard CPipeWireShims_addPort(node, isInput, UInt32(place), port.name, port.channel) else {
                remove(from: node)
                return false
            }
        }
        return true
    }

    func remove(from node: OpaquePointer) { for place in places { CPipeWireShims_removePort(node, isInput, UInt32(place)) } }

    func isLinked(_ node: OpaquePointer) -> Bool { places.contains { CPipeWireShims_isPortLinked(node, isInput, UInt32($0)) } }
}

extension PipeWireDriver {
    /// The most ports of one side, including the main ones.
    private static let mostChannels = 64

    /// `[control]` Adds ports for a bus while the node runs; returns the position of the first one after the main ports.
    ///
    /// Throws without a node, for an invalid or used name, and if a side would have more than 64 ports.
    public func addBus(_ bus: DriverBus, isInput: Bool) throws(DriverBusError) -> Int {
        try session.withLock { session throws(DriverBusError) -> Int in
            guard let node = session.node, failure(of: node) == nil else { throw .notRunning }
            guard bus.isNameOfPorts, !session.added.contains(where: { $0.bus.name == bus.name }),
                !session.inputBuses.contains(where: { $0.name == bus.name })
            else { throw .badName }
            let mainCount = isInput ? session.recordedChannelCount : configuration.outputChannelCount
            let named = isInput ? session.inputBuses.reduce(0) { $0 + $1.channelCount } : 0
            let taken = [0..<named] + session.added.filter { $0.isInput == isInput }.map(\.places)
            let start = taken.map(\.upperBound).sorted().first { start in
                !taken.contains { $0.overlaps(start..<start + bus.channelCount) }
            }
            guard let start, bus.channelCount > 0, mainCount + start + bus.channelCount <= Self.mostChannels else { throw .noRoom }
            let added = AddedBus(bus: bus, isInput: isInput, place: start)
            guard added.add(to: node) else { throw .noPort }
            session.added.append(added)
            return start
        }
    }

    /// `[control]` Removes the ports of a bus that `addBus` has added, with their links.
    public func removeBus(named name: String) {
        session.withLock { session in
            guard let index = session.added.firstIndex(where: { $0.bus.name == name }) else { return }
            if let node = session.node { session.added[index].remove(from: node) }
            session.added.remove(at: index)
        }
    }

    /// `[control]` True if `addBus` has added a bus of that name.
    public func hasBus(named name: String) -> Bool { session.withLock { $0.added.contains { $0.bus.name == name } } }

    /// `[control]` True if a port of a bus from `addBus` has a link.
    public func isBusLinked(named name: String) -> Bool {
        session.withLock { session in
            guard let node = session.node, let added = session.added.first(where: { $0.bus.name == name }) else { return false }
            return added.isLinked(node)
        }
    }

    /// Gives a new node the ports of the former node; a bus is dropped if its ports cannot be made.
    func restoreBuses(_ session: inout Session) {
        guard let node = session.node else { return }
        session.added.removeAll { !$0.add(to: node) }
    }
}
