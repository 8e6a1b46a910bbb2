// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The table of routes from ports to units, which the render thread reads for each message. Control threads make it.

/// A way from a port to a unit.
package final class MIDIRoute: Sendable {
    /// The port; nil for all.
    package let source: UInt8?
    package let mapping: MIDIMapping
    package let port: MessagePort
    // SAFETY: only the render thread uses the memory behind the pointer.
    nonisolated(unsafe) let state: UnsafeMutablePointer<MIDIRouteState>

    /// Makes a route in its initial state.
    package init(from source: UInt8?, _ mapping: MIDIMapping, to port: MessagePort) {
        (self.source, self.mapping, self.port) = (source, mapping, port)
        state = .allocate(capacity: 1)
        state.initialize(to: MIDIRouteState(cable: mapping.cable))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }
}

/// The table for the render thread; it does not change once it is handed over.
struct MIDIRouteTable: ~Copyable {
    struct Row {
        let state: UnsafeMutablePointer<MIDIRouteState>
        let port: UnsafeMutablePointer<MessagePortCore>
        /// The number of the source; below 0 for all.
        let source: Int
        let mapping: MIDIMapping
    }

    let rows: UnsafeMutablePointer<Row>
    let rowCount: Int
    /// A number that no other table has.
    let serial: UInt64
    /// The owners of the rows' memory; the render thread does not touch them.
    private let owners: [MIDIRoute]

    init(_ routes: [MIDIRoute], serial: UInt64) {
        rowCount = routes.count
        rows = .allocate(capacity: max(1, routes.count))
        for (index, route) in routes.enumerated() {
            let source = route.source.map(Int.init) ?? -1
            (rows + index).initialize(
                to: Row(state: route.state, port: route.port.core, source: source, mapping: route.mapping))
        }
        (self.serial, owners) = (serial, routes)
    }

    deinit { rows.deallocate() }
}
