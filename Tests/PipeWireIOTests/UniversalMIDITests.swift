// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Universal MIDI Packets become messages of MIDI 1.0, and messages become packets. Test thread.

import CPipeWireShims
import Testing

@Suite struct UniversalMIDITests {
    /// The messages that a packet becomes.
    private func messages(_ words: UInt32...) -> [[UInt8]] {
        let packet = words + [UInt32](repeating: 0, count: 4 - words.count)
        var found = [CPipeWireShims_MIDIMessage](repeating: CPipeWireShims_MIDIMessage(), count: 4)
        let count = Int(CPipeWireShims_translatePacket(packet, &found))
        return found.prefix(count).map { Array([$0.bytes.0, $0.bytes.1, $0.bytes.2].prefix(Int($0.byteCount))) }
    }

    private func packet(_ bytes: [UInt8]) -> [UInt32] {
        var words: [UInt32] = [0, 0]
        let count = Int(CPipeWireShims_packMessage(bytes, UInt32(bytes.count), &words))
        return Array(words.prefix(count))
    }

    @Test func messagesOfMIDI1ComeThroughAsTheyAre() {
        #expect(messages(0x2093_3C64) == [[0x93, 60, 100]])
        // The group makes no difference.
        #expect(messages(0x25C2_0500) == [[0xC2, 5]] && messages(0x20D2_4000) == [[0xD2, 64]])
        #expect(messages(0x10F8_0000) == [[0xF8]] && messages(0x10F2_0102) == [[0xF2, 1, 2]])
    }

    @Test func aNoteThatBeginsHasAVelocityAboveZero() {
        #expect(messages(0x4090_3C00, 0xFFFF_0000) == [[0x90, 60, 127]])
        #expect(messages(0x4090_3C00, 0x00FF_0000) == [[0x90, 60, 1]])
        #expect(messages(0x4080_3C00, 0x0000_0000) == [[0x80, 60, 0]])
    }

    @Test func fourteenBitsOfAValueAreKept() {
        #expect(messages(0x40E1_0000, 0x8000_0000) == [[0xE1, 0, 64]])
        #expect(messages(0x40E1_0000, 0xFFFC_0000) == [[0xE1, 127, 127]])
        #expect(messages(0x40B1_0700, 0x8104_0000) == [[0xB1, 7, 64], [0xB1, 39, 65]])
        // A controller without a partner.
        #expect(messages(0x40B1_4A00, 0x8104_0000) == [[0xB1, 74, 64]])
        #expect(messages(0x4021_0001, 0x8104_0000) == [[0xB1, 101, 0], [0xB1, 100, 1], [0xB1, 6, 64], [0xB1, 38, 65]])
        #expect(messages(0x4031_0102, 0x8104_0000) == [[0xB1, 99, 1], [0xB1, 98, 2], [0xB1, 6, 64], [0xB1, 38, 65]])
    }

    @Test func aProgramBringsItsBankIfItHasOne() {
        #expect(messages(0x40C0_0000, 0x0500_0102) == [[0xC0, 5]])
        #expect(messages(0x40C0_0001, 0x0500_0102) == [[0xB0, 0, 1], [0xB0, 32, 2], [0xC0, 5]])
    }

    @Test func systemExclusiveBytesKeepTheirEnds() {
        #expect(messages(0x3006_7E7F, 0x0901_0203) == [[0xF0, 0x7E, 0x7F], [9, 1, 2], [3, 0xF7]])
        #expect(messages(0x3012_7E7F, 0) == [[0xF0, 0x7E, 0x7F]] && messages(0x3021_0500, 0) == [[5]])
        #expect(messages(0x3031_0500, 0) == [[5, 0xF7]] && messages(0x3030_0000, 0) == [[0xF7]])
    }

    @Test func whatMIDI1HasNoMessageForIsLeftOut() {
        // Utilities, data of 8 bits, text, and pitch, controllers and management of a single note.
        for word: UInt32 in [
            0x0020_0001, 0x5004_0000, 0xD010_0000, 0xF000_0000, 0x4060_3C00, 0x4000_3C01, 0x4010_3C01, 0x40F0_3C00,
        ] {
            #expect(messages(word, 1).isEmpty)
        }
        // No status of a channel, no system message, and no form of a system-exclusive one.
        #expect(messages(0x2070_0000).isEmpty && messages(0x10F0_0000).isEmpty && messages(0x3046_0000, 0).isEmpty)
    }

    @Test func everyMessageComesBackFromItsPacket() {
        var all: [[UInt8]] = [[0xF8], [0xFE], [0xF1, 5], [0xF3, 6], [0xF2, 1, 2]]
        for status in stride(from: UInt8(0x80), through: 0xE0, by: 0x10) {
            all.append(status == 0xC0 || status == 0xD0 ? [status | 5, 77] : [status | 5, 77, 99])
        }
        all += [[0xF0, 1, 2], [3, 4, 5], [6, 0xF7], [0xF7], [0xF0, 1, 0xF7], [0xF0]]
        for bytes in all {
            let words = packet(bytes)
            #expect(words.count == Int(CPipeWireShims_packetWordCount(words[0])))
            #expect(messages(words[0], words.count > 1 ? words[1] : 0) == [bytes], "\(bytes)")
        }
    }

    @Test func noPacketBecomesMoreThanThereIsRoomFor() {
        // Each first byte and status, with the lowest and the highest values.
        for first in (0..<UInt32(1 << 16)).map({ $0 << 16 }) {
            for (low, second) in [(UInt32(0), UInt32(0)), (0xFFFF, .max)] {
                let found = messages(first | low, second)
                let isSound = found.allSatisfy {
                    (1...3).contains($0.count) && $0.dropFirst().allSatisfy { $0 < 0x80 || $0 == 0xF7 }
                }
                guard !isSound || found.count > Int(CPipeWireShims_messagesOfPacket) else { continue }
                Issue.record("\(first | low) becomes \(found)")
            }
            guard !(1...4).contains(CPipeWireShims_packetWordCount(first)) else { continue }
            Issue.record("\(first) has \(CPipeWireShims_packetWordCount(first)) words")
        }
    }
}
