// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The playing tracks, for the render thread. Control threads make an order and free it.

/// The order for the render thread; it does not change once it is handed over.
struct SequencerOrder: ~Copyable {
    /// A track with a unit.
    struct Row {
        let state: UnsafeMutablePointer<TrackState>
        let port: UnsafeMutablePointer<MessagePortCore>
        let messages: UnsafePointer<SequencedMessage>
        let count: Int
        let states: UnsafePointer<MessageList.State>
        let stateCount: Int
        let places: UnsafePointer<Int32>
        /// The serial number of the track's part.
        let serial: UInt64
        let offset: Double
        let loopStart: Double
        let loopEnd: Double
        /// The number of passes of the loop; 1 without a loop.
        let passCount: Int
        let isMuted: Bool

        init(_ part: SequencedPart, _ port: MessagePort, serial: UInt64) {
            (state, self.port, self.serial) = (part.track.state, port.core, serial)
            (messages, count) = (UnsafePointer(part.list.messages), part.list.count)
            (states, stateCount) = (UnsafePointer(part.list.states), part.list.stateCount)
            places = UnsafePointer(part.list.places)
            (offset, isMuted) = (part.offset, part.isMuted)
            let loop = part.loop.flatMap { $0.upperBound - $0.lowerBound >= 0.01 ? $0 : nil }
            (loopStart, loopEnd) = loop.map { ($0.lowerBound, $0.upperBound) } ?? (0, 0)
            passCount = loop == nil ? 1 : max(1, part.passCount)
        }

        var loopLength: Double { @_noLocks get { loopEnd - loopStart } }

        /// The first message at a beat or after it.
        @_noLocks
        func firstIndex(from beat: Double) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low &+ high) / 2
                if messages[middle].beat < beat { low = middle &+ 1 } else { high = middle }
            }
            return low
        }

        /// The last message of a state before an index; -1 for none.
        @_noLocks
        func lastIndex(of state: MessageList.State, before index: Int) -> Int {
            var (low, high) = (0, state.count)
            while low < high {
                let middle = (low &+ high) / 2
                if Int(places[state.first &+ middle]) < index { low = middle &+ 1 } else { high = middle }
            }
            return low > 0 ? Int(places[state.first &+ low &- 1]) : -1
        }
    }

    let rows: UnsafeMutablePointer<Row>
    let rowCount: Int
    /// A number that no other order has.
    let serial: UInt64
    /// The owners of the rows' memory; the render thread does not touch them.
    private let owners: [AnyObject]

    init(_ rows: [Row], serial: UInt64, owners: [AnyObject]) {
        rowCount = rows.count
        self.rows = .allocate(capacity: max(1, rows.count))
        for (index, row) in rows.enumerated() { (self.rows + index).initialize(to: row) }
        (self.serial, self.owners) = (serial, owners)
    }

    deinit { rows.deallocate() }
}
