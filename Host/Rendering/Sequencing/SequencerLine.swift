// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells the render thread which tracks to play along the song. Control threads.

import Synchronization

/// The tracks that sequencers play along one song.
package final class SequencerLine: Sendable {
    // SAFETY: the render thread alone uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<SequencerCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<SequencerCore.Shared>
    private let content = Mutex(Content())

    fileprivate struct Content {
        /// What each sequencer plays, in the order in which they came.
        var parts: [(owner: ObjectIdentifier, parts: [SequencedPart])] = []
        /// What each track plays, and the number of that.
        var serials: [ObjectIdentifier: (part: SequencedPart, serial: UInt64)] = [:]
        var lastSerial: UInt64 = 0
    }

    init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: SequencerCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: SequencerCore(shared: shared))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        free(shared.pointee.pending.exchange(0, ordering: .acquiring))
        free(shared.pointee.retired.exchange(0, ordering: .acquiring))
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Changes what one sequencer plays, from the next cycle on; nothing where it has no parts.
    ///
    /// A track that plays something else than before ends its notes, and goes on at the song's place.
    package func play(_ parts: [SequencedPart], for owner: ObjectIdentifier) {
        content.withLock { content in
            if let index = content.parts.firstIndex(where: { $0.owner == owner }) {
                content.parts[index].parts = parts
                if parts.isEmpty { content.parts.remove(at: index) }
            } else if parts.isEmpty {
                return
            } else {
                content.parts.append((owner, parts))
            }
            let order = UnsafeMutablePointer<SequencerOrder>.allocate(capacity: 1)
            order.initialize(to: content.order())
            // Release: the order is complete.
            free(shared.pointee.pending.exchange(UInt(bitPattern: order), ordering: .acquiringAndReleasing))
            free(shared.pointee.retired.exchange(0, ordering: .acquiring))
        }
    }

    /// Messages that were heard after their frame because there was no room for them before.
    package var lateCount: UInt64 { shared.pointee.lateCount.load(ordering: .relaxed) }

    /// How often a track was left alone because its unit was not rendered; the unit is told what holds once it is.
    package var droppedCount: UInt64 { shared.pointee.droppedCount.load(ordering: .relaxed) }

    /// Frees an order and those that it was put before.
    private func free(_ first: UInt) {
        var next = first
        while let order = UnsafeMutablePointer<SequencerOrder>(bitPattern: next) {
            next = order.pointee.next
            order.deinitialize(count: 1)
            order.deallocate()
        }
    }
}

extension SequencerLine.Content {
    /// All that is to be played by now.
    mutating func order() -> SequencerOrder {
        lastSerial += 1
        let serial = lastSerial
        var (rows, owners, kept) = (
            [SequencerOrder.Row](), [AnyObject](), [ObjectIdentifier: (part: SequencedPart, serial: UInt64)]()
        )
        for part in parts.flatMap(\.parts) {
            guard let port = part.port else { continue }
            port.open()
            let track = ObjectIdentifier(part.track)
            let known = serials[track].flatMap { $0.part.isSame(part) ? $0.serial : nil } ?? serial
            kept[track] = (part, known)
            rows.append(SequencerOrder.Row(part, port, serial: known))
            owners += [part.track, port, part.list]
        }
        serials = kept
        return SequencerOrder(rows, serial: serial, owners: owners)
    }
}

/// What the render thread follows; it does not change once it is handed over, but for `next`.
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
        /// What the track plays: the number changes with it.
        let serial: UInt64
        let offset: Double
        let loopStart: Double
        let loopEnd: Double
        /// How often the loop is played; 1 without a loop.
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

        /// The first message at a beat or behind it.
        @_noLocks
        func firstIndex(from beat: Double) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low &+ high) / 2
                if messages[middle].beat < beat { low = middle &+ 1 } else { high = middle }
            }
            return low
        }

        /// The last message before an index that sets something; -1 for none.
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
    /// What the rows point into; the render thread does not touch it.
    private let owners: [AnyObject]
    /// The order that was given back before.
    var next: UInt = 0

    init(_ rows: [Row], serial: UInt64, owners: [AnyObject]) {
        rowCount = rows.count
        self.rows = .allocate(capacity: max(1, rows.count))
        for (index, row) in rows.enumerated() { (self.rows + index).initialize(to: row) }
        (self.serial, self.owners) = (serial, owners)
    }

    deinit { rows.deallocate() }
}
