// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positive control of ThreadSanitizer: a ring whose counters are relaxed, hammered only when BULKHEAD_RACY_RING is set.

import Glibc
import LinuxSystem
import Synchronization
import Testing

/// What `EventRingWriter` and `EventRingReader` would be if nothing ordered the events against the counters.
private final class RacyRing: @unchecked Sendable {
    // SAFETY: there is none; that is what the sanitizer has to say.
    private let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 64)
    private let written = Atomic<UInt64>(0)
    private let taken = Atomic<UInt64>(0)

    init() { slots.initialize(repeating: 0, count: 64) }

    deinit { slots.deallocate() }

    func write(_ number: UInt64) -> Bool {
        let position = written.load(ordering: .relaxed)
        guard position &- taken.load(ordering: .relaxed) < 64 else { return false }
        slots[Int(position & 63)] = number
        written.store(position &+ 1, ordering: .relaxed)
        return true
    }

    func read() -> UInt64? {
        let position = taken.load(ordering: .relaxed)
        guard written.load(ordering: .relaxed) != position else { return nil }
        defer { taken.store(position &+ 1, ordering: .relaxed) }
        return slots[Int(position & 63)]
    }
}

@Suite(.enabled(if: getenv("BULKHEAD_RACY_RING") != nil)) struct RacyRingTests {
    @Test func theSanitizerSeesARingWithoutOrdering() throws {
        let ring = RacyRing()
        let total: UInt64 = 20_000
        let thread = try LinuxSystem.Thread(name: "writer") {
            var number: UInt64 = 0
            while number < total { if ring.write(number) { number += 1 } else { Futex.pause(microseconds: 1) } }
        }
        var count: UInt64 = 0
        while count < total { if ring.read() != nil { count += 1 } else { Futex.pause(microseconds: 1) } }
        thread.join()
    }
}
