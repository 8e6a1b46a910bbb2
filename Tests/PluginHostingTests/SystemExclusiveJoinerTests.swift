// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Packets of system-exclusive messages become pieces for a unit. Test thread.

import AudioUnits
import Rendering
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct SystemExclusiveJoinerTests {
    /// Joins packets as the unit's events do, and returns the pieces.
    private func pieces(_ packets: [DueMessage]) -> [MIDIMessage] {
        var (joiner, pieces) = (SystemExclusiveJoiner(), [MIDIMessage]())
        for packet in packets {
            if joiner.isFull(before: packet) { pieces.append(joiner.take(continues: true)) }
            if joiner.add(packet) { pieces.append(joiner.take(continues: false)) }
        }
        if joiner.isOpen { pieces.append(joiner.take(continues: true)) }
        return pieces
    }

    private func packets(_ bytes: [UInt8], time: Int64 = 0, cable: UInt8 = 0) -> [DueMessage] {
        SystemExclusivePacket.packets(of: bytes).map { DueMessage(time: time, $0.0, $0.1, $0.2, cable: cable) }
    }

    private func message(_ count: Int) -> [UInt8] { [0xF0] + (0..<count - 2).map { UInt8($0 & 127) } + [0xF7] }

    @Test(arguments: [2, 3, 6, 8, 9, 11, 15, 16, 17, 21, 408]) func aMessageKeepsItsBytes(count: Int) {
        let pieces = pieces(packets(message(count), cable: 7))
        #expect(pieces.flatMap { piece in (0..<Int(piece.byteCount)).map { piece[$0] } } == message(count))
        #expect(pieces.allSatisfy { $0.isSystemExclusivePiece && $0.cable == 7 })
        #expect(pieces.map(\.continues) == pieces.indices.map { $0 + 1 < pieces.count })
        // The messages that instruments know, but for tunings, are one event.
        if count <= 15 { #expect(pieces.count == 1 && pieces[0].isWhole) }
    }

    @Test func messagesOfTwoCablesAndTimesStayApart() {
        let mixed = zip(packets(message(9), cable: 1), packets(message(9), cable: 2)).flatMap { [$0, $1] }
        for cable in [1, 2] as [UInt8] {
            let own = pieces(mixed).filter { $0.cable == cable }
            #expect(own.flatMap { piece in (0..<Int(piece.byteCount)).map { piece[$0] } } == message(9))
        }
        // A message without an end, and a new one behind it.
        let cut = pieces(packets(message(9)).dropLast() + packets(message(6)))
        #expect(cut.count == 2 && cut[0].continues && cut[1].isWhole)
        #expect(pieces(packets(message(4), time: 5) + packets(message(4), time: 6)).count == 2)
    }
}
