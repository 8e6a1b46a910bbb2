// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Rings of events: order, a full ring, a peer that lies, and two threads at once. Test threads.

import LinuxSystem
import TestSupport
import Testing
import Wire

@Suite struct EventRingTests {
    @Test func eventsComeOutInTheOrderInWhichTheyWentIn() {
        let memory = RingMemory(capacity: 8)
        let ring = RingEnds(memory)
        for round in 0..<5 as Range<UInt64> {
            for number in 0..<6 as Range<UInt64> { #expect(ring.write(round * 6 + number)) }
            #expect(ring.available == 6)
            for number in 0..<6 as Range<UInt64> { #expect(ring.next() == round * 6 + number) }
            #expect(ring.available == 0)
        }
    }

    @Test func aFullRingTakesNoMoreAndLosesNothing() {
        let memory = RingMemory(capacity: 4)
        let ring = RingEnds(memory)
        for number in 0..<4 as Range<UInt64> { #expect(ring.write(number)) }
        #expect(ring.freeCount == 0)
        #expect(!ring.write(99))
        #expect(ring.next() == 0)
        #expect(ring.freeCount == 1)
        #expect(ring.write(4))
        #expect(!ring.write(99))
        #expect((0..<4).map { _ in ring.next() } == [1, 2, 3, 4])
    }

    @Test func aRingOfOneEventWorks() {
        let memory = RingMemory(capacity: 1)
        let ring = RingEnds(memory)
        for number in 0..<3 as Range<UInt64> {
            #expect(ring.write(number))
            #expect(!ring.write(99))
            #expect(ring.next() == number)
        }
    }

    @Test func theCountersWrapWithoutATrace() {
        let memory = RingMemory(capacity: 4, start: .max - 2)
        let ring = RingEnds(memory)
        for number in 0..<12 as Range<UInt64> {
            #expect(ring.write(number))
            #expect(ring.available == 1)
            #expect(ring.next() == number)
        }
        #expect(memory.written.load() == 9)
    }

    @Test func aWriterThatLiesIsCaughtBeforeAnythingIsRead() {
        var seed = Seed()
        let memory = RingMemory(capacity: 16)
        let ring = RingEnds(memory)
        for _ in 0..<10_000 {
            let claimed = Bool.random(using: &seed) ? seed.next() : UInt64.random(in: 0...40, using: &seed)
            memory.written.store(claimed)
            #expect(ring.available == (claimed > 16 ? nil : Int(claimed)))
        }
        memory.written.store(3)
        #expect(ring.available == 3)
        for _ in 0..<3 { _ = ring.next() }
    }

    @Test func aReaderThatLiesMakesTheRingLookFull() {
        var seed = Seed()
        let memory = RingMemory(capacity: 16)
        let ring = RingEnds(memory)
        for number in 0..<10_000 as Range<UInt64> {
            memory.read.store(seed.next() | 1 << 40)
            #expect(ring.freeCount == 0)
            #expect(!ring.write(number))
        }
        memory.read.store(1)
        #expect(!ring.write(0), "more read than was written")
        memory.read.store(0)
        #expect(ring.write(0))
    }

    @Test func countersThatJumpAboutNeverLeadOutOfTheRing() {
        var seed = Seed()
        let memory = RingMemory(capacity: 8)
        let ring = RingEnds(memory)
        for number in 0..<100_000 as Range<UInt64> {
            if number % 3 == 0 { memory.read.store(memory.written.load() &- UInt64.random(in: 0...9, using: &seed)) }
            if number % 5 == 0 { memory.written.store(memory.read.load() &+ UInt64.random(in: 0...9, using: &seed)) }
            _ = ring.write(number)
            if let count = ring.available {
                #expect(count <= 8)
                for _ in 0..<count { _ = ring.next() }
            }
        }
    }

    @Test func aMillionEventsPassBetweenTwoThreadsWholeAndInOrder() throws {
        let memory = RingMemory(capacity: 64)
        let thread = try LinuxSystem.Thread(name: "writer") { Self.writeAMillion(to: memory) }
        let strays = Self.strays(from: memory)
        thread.join()
        #expect(strays == 0)
        #expect(memory.written.load() == 1_000_000)
    }

    private static func writeAMillion(to memory: RingMemory) {
        var writer = memory.writer
        var number: UInt64 = 0
        while number < 1_000_000 {
            guard writer.freeCount() > 0 else {
                Futex.pause(microseconds: 1)
                continue
            }
            memory.witnesses[Int(number & 63)] = number
            _ = writer.write(WireEvent(number: number))
            number += 1
        }
    }

    /// Reads a million events; returns how many were torn or out of order.
    private static func strays(from memory: RingMemory) -> Int {
        var reader = memory.reader
        var expected: UInt64 = 0
        var strays = 0
        while expected < 1_000_000 {
            guard case .count(let count) = reader.available() else { return .max }
            if count == 0 { Futex.pause(microseconds: 1) }
            for _ in 0..<count {
                if memory.witnesses[Int(expected & 63)] != expected { strays += 1 }
                if reader.next().number != expected { strays += 1 }
                expected += 1
            }
        }
        return strays
    }
}
