// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Requests priorities from rtkit on its own thread: the bus may be slow, and no supervisor may wait for it.

import Glibc
import LinuxSystem
import Synchronization

/// Carries all priority requests of this process to rtkit.
///
/// Its thread runs only while there are requests.
final class RankClerk: Sendable {
    static let shared = RankClerk()

    /// The nanoseconds after a grant before the same thread gets a priority again.
    ///
    /// rtkit gives each user few grants in a span of time. An effect that keeps missing its deadline must not use them up.
    private static let respite: UInt64 = 10_000_000_000

    private struct Entry {
        let wish: RankWish
        var due: UInt64
        var roundsLeft = RealtimeKit.roundCount
    }
    private struct Office {
        var entries: [Entry] = []
        var isOpen = false
        /// The time at which each thread last got a priority.
        var grants: [Int32: UInt64] = [:]
        /// The time until which rtkit gives nothing more; 0 if it has not reported one.
        ///
        /// No request is sent before. rtkit would refuse a new one, too, and it must not delay those that have waited longer.
        var busyUntil: UInt64 = 0
    }
    private let office = Mutex(Office())
    /// Wakes the thread for a new request.
    ///
    /// Without a descriptor, new requests wait until the thread wakes up by itself.
    private let bell = try? EventDescriptor()

    func take(_ wish: RankWish) {
        let mustOpen = office.withLock { office in
            let granted = office.grants[wish.thread]
            office.entries.append(Entry(wish: wish, due: max(office.busyUntil, granted.map { $0 + Self.respite } ?? 0)))
            defer { office.isOpen = true }
            return !office.isOpen
        }
        bell?.ring()
        guard mustOpen, (try? Thread(name: "rank clerk") { [self] in run() }.detach()) == nil else { return }
        // No thread can be started. The next request tries again.
        office.withLock { office in
            for entry in office.entries { entry.wish.refuse() }
            office = Office()
        }
    }

    private func run() {
        while true {
            guard let entry = next() else { return }
            let now = MonotonicClock.now()
            if entry.due > now { sleep(milliseconds: (entry.due - now) / 1_000_000 + 1) } else { serve(entry) }
        }
    }

    /// Removes closed requests, and returns the request that is due first.
    ///
    /// If none is left it returns nil, and the thread ends.
    private func next() -> Entry? {
        office.withLock { office in
            let now = MonotonicClock.now()
            office.entries.removeAll { !$0.wish.isOpen }
            office.grants = office.grants.filter { now < $0.value + Self.respite }
            office.isOpen = !office.entries.isEmpty
            return office.entries.min { $0.due < $1.due }
        }
    }

    private func sleep(milliseconds: UInt64) {
        Descriptor.awaitAny([bell?.descriptor ?? -1], nanoseconds: milliseconds * 1_000_000)
        bell?.quieten()
    }

    private func serve(_ entry: Entry) {
        let answer = RealtimeKit.answer(to: entry.wish)
        if answer == .granted { entry.wish.grant() }
        office.withLock { office in
            let now = MonotonicClock.now()
            switch answer {
            case .granted: office.grants[entry.wish.thread] = now
            case .refused: entry.wish.refuse()
            // The other requests would fail in the same way.
            case .unavailable: office.entries.forEach { $0.wish.refuse() }
            case .busy:
                office.busyUntil = now + RealtimeKit.roundLength
                for index in office.entries.indices {
                    office.entries[index].due = max(office.busyUntil, office.entries[index].due)
                    office.entries[index].roundsLeft -= 1
                    if office.entries[index].roundsLeft == 0 { office.entries[index].wish.refuse() }
                }
            }
        }
    }
}
