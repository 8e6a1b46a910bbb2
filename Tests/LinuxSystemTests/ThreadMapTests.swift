// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The same work on many things at once. Test threads.

import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite struct ThreadMapTests {
    private struct Failure: Error, Equatable {
        let element: Int
    }

    @Test(arguments: [0, 1, 2, 16, 17, 1000]) func resultsComeInTheOrderOfTheElements(count: Int) throws {
        let results = LinuxSystem.Thread.map(Array(0..<count), name: "map") { $0 * $0 }
        #expect(results == (0..<count).map { $0 * $0 })
    }

    /// Each call waits until all have begun.
    @Test func severalAreAtWorkAtOnce() throws {
        let begun = Atomic<Int>(0)
        _ = try LinuxSystem.Thread.map(Array(0..<8), name: "map") { _ in
            begun.add(1, ordering: .relaxed)
            let deadline = MonotonicClock.now() + UInt64(Patience.seconds() * 1e9)
            while begun.load(ordering: .relaxed) < 8 {
                if MonotonicClock.now() > deadline { throw Failure(element: -1) }
                Futex.pause(microseconds: 100)
            }
        }
    }

    @Test func whatTheFirstFailureWasIsThrownAndNoOthersBegin() {
        let begun = Atomic<Int>(0)
        #expect(throws: Failure(element: 3)) {
            _ = try LinuxSystem.Thread.map(Array(0..<10_000), name: "map") { element in
                begun.add(1, ordering: .relaxed)
                if element >= 3 { throw Failure(element: element) }
                Futex.pause(microseconds: 1000)
            }
        }
        #expect(begun.load(ordering: .relaxed) < 1000)
    }
}
