// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Headers of messages, byte by byte. Test thread.

import ControlMessages
import TestSupport
import Testing
import Wire

@Suite struct FrameTests {
    private static let frame = MessageFrame(kind: 9, serial: 0x0102_0304, body: [7, 8])

    @Test func theHeaderIsTheOneOfTheSpecification() {
        #expect(Self.frame.bytes == [0x42, 0x4C, 0x4B, 0x48, 9, 0, 0, 0, 4, 3, 2, 1, 2, 0, 0, 0, 7, 8])
        #expect(Self.frame.header(.descriptor)[6] == 1)
        #expect(Self.frame.header(.pieces)[6] == 2)
    }

    @Test func framesArriveAsTheyWereSent() throws {
        var seed = Seed()
        for _ in 0..<1000 {
            let frame = MessageFrame(
                kind: UInt16(truncatingIfNeeded: seed.next()), serial: UInt32(truncatingIfNeeded: seed.next()),
                body: seed.bytes(seed.number(0...100)))
            #expect(try MessageFrame(frame.bytes) == frame)
        }
    }

    @Test func aFrameOfAnyOtherLengthIsRefused() {
        let bytes = Self.frame.bytes
        for count in 0..<bytes.count {
            #expect(throws: WireViolation.self) { try MessageFrame(Array(bytes.prefix(count))) }
        }
        #expect(throws: WireViolation.self) { try MessageFrame(bytes + [0]) }
    }

    @Test func aWrongMagicIsRefused() {
        for index in 0..<4 {
            var bytes = Self.frame.bytes
            bytes[index] ^= 1
            #expect(throws: WireViolation.self) { try MessageFrame(bytes) }
        }
    }

    @Test(arguments: [67_108_865, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
    func anAnnouncementBeyondTheLimitIsRefused(byteCount: UInt32) {
        var bytes = Self.frame.header(.descriptor)
        for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: byteCount >> UInt32(index * 8)) }
        #expect(throws: WireViolation.self) { try MessageFrame.announcement(of: bytes) }
    }

    @Test func bytesBehindTheHeaderOfABodyElsewhereAreRefused() {
        for place in [MessageFrame.BodyPlace.descriptor, .pieces] {
            let bytes = MessageFrame(kind: 1, serial: 1, body: [1, 2]).header(place) + [1, 2]
            #expect(throws: WireViolation.self) { try MessageFrame.announcement(of: bytes) }
        }
    }

    @Test func flagsOfTheFutureAreRefused() {
        var bytes = Self.frame.bytes
        bytes[6] = 4
        #expect(throws: WireViolation.self) { try MessageFrame(bytes) }
    }
}
