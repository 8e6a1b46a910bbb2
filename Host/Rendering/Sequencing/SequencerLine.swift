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
            shared.pointee.orders.offer(content.order())
            shared.pointee.orders.collect { _ in }
        }
    }

    /// Messages that were heard after their frame because there was no room for them before.
    package var lateCount: UInt64 { shared.pointee.lateCount.load(ordering: .relaxed) }

    /// How often a track was left alone because its unit was not rendered; the unit is told what holds once it is.
    package var droppedCount: UInt64 { shared.pointee.droppedCount.load(ordering: .relaxed) }
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
