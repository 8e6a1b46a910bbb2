// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of values to the render thread and back. Test thread, and one that stands for the render thread.

import LinuxSystem
import Synchronization
import Testing

@testable import Rendering

@Suite struct HandOverTests {
    /// Counts the values that have not been freed.
    private final class Ledger: Sendable {
        let count = Atomic<Int>(0)
    }

    private struct Value: ~Copyable {
        let number: Int
        private let ledger: Ledger

        init(_ number: Int, _ ledger: Ledger) {
            (self.number, self.ledger) = (number, ledger)
            ledger.count.add(1, ordering: .relaxed)
        }

        deinit { ledger.count.subtract(1, ordering: .relaxed) }
    }

    private func taken(_ handOver: borrowing HandOver<Value>) -> UnsafeMutablePointer<Value>? {
        handOver.passage.take()?.assumingMemoryBound(to: Value.self)
    }

    @Test func theNewestValueIsTakenOnce() throws {
        let ledger = Ledger()
        let handOver = HandOver<Value>()
        handOver.offer(Value(1, ledger))
        let replaced = if let value = handOver.offer(Value(2, ledger)) { value.number } else { 0 }
        #expect(replaced == 1)
        let pending = handOver.withPending { $0.number }
        #expect(pending == 2)
        let (first, second) = (taken(handOver), taken(handOver))
        let place = try #require(first)
        #expect(place.pointee.number == 2 && second == nil && ledger.count.load(ordering: .relaxed) == 1)
        handOver.passage.giveBack(place)
        var numbers: [Int] = []
        handOver.collect { numbers.append($0.number) }
        #expect(numbers == [2] && ledger.count.load(ordering: .relaxed) == 0)
    }

    @Test func whatIsOnTheWayIsFreedWithTheHandOver() {
        let ledger = Ledger()
        do {
            let handOver = HandOver<Value>()
            for number in 0..<3 {
                handOver.offer(Value(number, ledger))
                if let place = taken(handOver) { handOver.passage.giveBack(place) }
            }
            handOver.offer(Value(3, ledger))
        }
        #expect(ledger.count.load(ordering: .relaxed) == 0)
    }

    @Test func nothingIsLostBetweenTwoThreads() throws {
        let ledger = Ledger()
        let handOver = UnsafeMutablePointer<HandOver<Value>>.allocate(capacity: 1)
        handOver.initialize(to: HandOver())
        let address = UInt(bitPattern: handOver)
        let last = 20_000
        let renderer = try Thread(name: "renderer") {
            let handOver = UnsafeMutablePointer<HandOver<Value>>(bitPattern: address)!
            var (newest, present) = (-1, UnsafeMutablePointer<Value>?.none)
            while newest < last {
                guard let place = handOver.pointee.passage.take()?.assumingMemoryBound(to: Value.self) else { continue }
                #expect(place.pointee.number > newest)
                newest = place.pointee.number
                if let present { handOver.pointee.passage.giveBack(present) }
                present = place
            }
            if let present { handOver.pointee.passage.giveBack(present) }
        }
        for number in 0...last {
            handOver.pointee.offer(Value(number, ledger))
            handOver.pointee.collect { _ in }
        }
        renderer.join()
        handOver.deinitialize(count: 1)
        handOver.deallocate()
        #expect(ledger.count.load(ordering: .relaxed) == 0)
    }
}
