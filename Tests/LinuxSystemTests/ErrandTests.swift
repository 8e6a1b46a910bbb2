// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Work on a thread of its own, with and without a wait for it. Test thread.

import Synchronization
import TestSupport
import Testing

@testable import LinuxSystem

@Suite struct ErrandTests {
    @Test func theValueIsThereOnceTheWorkIsDone() {
        let mayEnd = Atomic<Bool>(false)
        let errand = Errand(name: "errand") {
            while !mayEnd.load(ordering: .acquiring) { Futex.pause(microseconds: 100) }
            return 7
        }
        // It goes on after the time is over.
        #expect(errand.value == nil && errand.value(within: 1_000_000) == nil && errand.value(within: 0) == nil)
        mayEnd.store(true, ordering: .releasing)
        #expect(errand.value(within: UInt64(Patience.seconds() * 1e9)) == 7)
        #expect(errand.value == 7)
        errand.wait()
    }

    @Test func manyThreadsMayWait() {
        let errand = Errand(name: "errand") {
            Futex.pause(microseconds: 2000)
            return 1
        }
        let values = Thread.map(Array(0..<8), name: "wait") { _ in
            errand.wait()
            return errand.value
        }
        #expect(values == [Int?](repeating: 1, count: 8))
    }
}
