// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positive control of ThreadSanitizer: a ring without atomics, hammered only when BULKHEAD_RACY_RING is set.

import Glibc
import LinuxSystem
import Testing
import Wire

/// What `EventRingWriter` and `EventRingReader` would be if their counters were ordinary memory.
private final class RacyRing: @unchecked Sendable {
    // SAFETY: there is none; that is what the sanitizer has to say.
    let slots = UnsafeMutablePointer<WireEvent>.allocate(capacity: 64)
    let counters = UnsafeMutablePointer<UInt64>.allocate(capacity: 2)

    init() {
        slots.initialize(repeating: WireEvent(), count: 64)
        counters.initialize(repeating: 0, count: 2)
    }

    deinit {
        slots.deallocate()
        counters.deallocate()
    }

    func write(_ number: UInt64) -> Bool {
        guard counters[0] &- counters[1] < 64 else { return false }
        slots[Int(counters[0] & 63)] = WireEvent(number: number)
        counters[0] &+= 1
        return true
    }

    func read() -> UInt64? {
        guard counters[0] != counters[1] else { return nil }
        defer { counters[1] &+= 1 }
        return slots[Int(counters[1] & 63)].address
    }
}

@Suite(.enabled(if: getenv("BULKHEAD_RACY_RING") != nil)) struct RacyRingTests {
    @Test func theSanitizerSeesARingWithoutAtomics() throws {
        let ring = RacyRing()
        let thread = try LinuxSystem.Thread(name: "writer") { for number in 0..<20_000 as Range<UInt64> { _ = ring.write(number) } }
        for _ in 0..<20_000 { _ = ring.read() }
        thread.join()
    }
}
