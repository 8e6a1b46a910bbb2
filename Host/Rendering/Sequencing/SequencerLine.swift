// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hands the tracks that play along the song to the render thread. Control threads.

import Synchronization

/// The tracks that sequencers play along one song.
package final class SequencerLine: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<SequencerCore>
    nonisolated(unsafe) private let shared: UnsafeMutablePointer<SequencerCore.Shared>
    private let content = Mutex(Content())

    fileprivate struct Content {
        /// The parts of each sequencer, in the order in which the sequencers came.
        var parts: [(owner: ObjectIdentifier, parts: [SequencedPart])] = []
        /// The part of each track, and its serial number.
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
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Changes the parts of one sequencer, from the next cycle on; with no parts it plays nothing.
    ///
    /// A track with a new part ends its notes, and goes on at the song's place.
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
            shared.pointee.orders.offer(content.order())
            shared.pointee.orders.collect { _ in }
        }
    }

    /// The number of messages that were heard after their frame because there was no room for them before.
    package var lateCount: UInt64 { shared.pointee.lateCount.load(ordering: .relaxed) }

    /// The number of times that a track was left alone because its unit was not rendered.
    ///
    /// The unit receives the present values once it is rendered.
    package var droppedCount: UInt64 { shared.pointee.droppedCount.load(ordering: .relaxed) }
}

extension SequencerLine.Content {
    /// Makes the order of all present parts.
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
