// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A doorbell that a predecessor rings never goes backwards. Test thread.

import Glibc
import LinuxSystem
import Testing
import Wire

@Suite struct DoorbellTests {
    private static func withWord(_ value: UInt32, _ body: (SharedFutexWord) -> Void) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { memory.deallocate() }
        memory.storeBytes(of: value, as: UInt32.self)
        body(SharedFutexWord(unsafeAddress: memory))
    }

    @Test(arguments: [0, 1, 0x7FFF_FFFF, 0x8000_0000, UInt32.max - 30, UInt32.max] as [UInt32])
    func onlyTheNextSixtyFourNumbersAreTaken(start: UInt32) {
        for distance in [-1000, -65, -64, -1, 0] {
            Self.withWord(start) { word in
                #expect(!word.advance(to: start &+ UInt32(truncatingIfNeeded: distance)))
                #expect(word.load() == start)
            }
        }
        for distance in [1, 2, 63, 64] as [UInt32] {
            Self.withWord(start) { word in
                #expect(word.advance(to: start &+ distance))
                #expect(word.load() == start &+ distance)
            }
        }
        Self.withWord(start) { word in
            #expect(!word.advance(to: start &+ 65))
            #expect(word.load() == start)
        }
    }

    @Test func aLateRingerLosesAgainstWhoeverIsAhead() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt32.self, repeating: 0, count: 16)
        let word = SharedFutexWord(unsafeAddress: memory)
        let threads = try (0..<2).map { lag in
            try LinuxSystem.Thread(name: "ringer") {
                for number in 1...100_000 as ClosedRange<UInt32> { _ = word.advance(to: number &- UInt32(lag)) }
            }
        }
        var last: UInt32 = 0
        var steps = 0
        while last < 100_000 {
            let now = word.load()
            #expect(now >= last)
            last = now
            steps += 1
            if steps > 2_000_000_000 { break }
        }
        for thread in threads { thread.join() }
        #expect(word.load() == 100_000)
    }
}
