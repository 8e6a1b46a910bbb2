// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positive controls of ThreadSanitizer: a ring whose counters are relaxed, and a read during a mutation, which needs
// exclusive access. Only when BULKHEAD_RACY_RING is set. Test threads.

import Glibc
import LinuxSystem
import Synchronization
import Testing

/// `EventRingWriter` and `EventRingReader` as they would be if nothing ordered the events against the counters.
private final class RacyRing: @unchecked Sendable {
    // SAFETY: there is none; the sanitizer must report that.
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

@Suite(.enabled(if: getenv("BULKHEAD_RACY_RING") != nil, "planted for .ci/sanitizers")) struct RacyRingTests {
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

    /// The atomic is right by itself, but a mutation of the whole needs exclusive access to all of it.
    ///
    /// That is Swift's law of exclusivity.
    @Test func theSanitizerSeesWhoReadsWhatAnotherMutates() throws {
        struct Mutated: ~Copyable {
            let count = Atomic<Int>(0)
            var last = 0

            mutating func advance() { last = count.wrappingAdd(1, ordering: .relaxed).newValue }
        }
        // SAFETY: there is none; the sanitizer must report that.
        nonisolated(unsafe) let mutated = UnsafeMutablePointer<Mutated>.allocate(capacity: 1)
        mutated.initialize(to: Mutated())
        let thread = try LinuxSystem.Thread(name: "mutator") { for _ in 0..<20_000 { mutated.pointee.advance() } }
        while mutated.pointee.count.load(ordering: .relaxed) < 20_000 { Futex.pause(microseconds: 1) }
        thread.join()
        mutated.deallocate()
    }
}
