// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which port's messages reach which units: the table that the render thread goes through for each message. Control threads make it.

/// A way from a port to a unit.
package final class MIDIRoute: Sendable {
    /// The port; nil: all of them.
    package let source: UInt8?
    package let mapping: MIDIMapping
    package let port: MessagePort
    // SAFETY: the render thread alone uses what the pointer leads to.
    nonisolated(unsafe) let state: UnsafeMutablePointer<MIDIRouteState>

    /// A route that nothing has gone along.
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

/// What the render thread follows; it does not change once it is handed over.
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
    /// What the rows point into; the render thread does not touch it.
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
