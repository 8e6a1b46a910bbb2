// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which bytes are a MIDI message and which are not. Test thread.

import AudioUnits
import Testing

@Suite struct MIDIMessageTests {
    @Test(arguments: [
        MIDIMessage(0x90, 60, 100), MIDIMessage(0xEF, 0, 127), MIDIMessage(0xC3, 5, 0, byteCount: 2),
        MIDIMessage(0xF8, byteCount: 1), MIDIMessage(low: 0xF7_7F01F0, byteCount: 4), MIDIMessage(low: 0xF7F0, byteCount: 2),
    ])
    func aWholeMessageIsTold(message: MIDIMessage) { #expect(message.isWhole) }

    @Test(arguments: [
        MIDIMessage(0x90, 143, 100), MIDIMessage(0x90, 60, 200), MIDIMessage(0x90, 60, 0, byteCount: 2),
        MIDIMessage(0x60, 60, 0), MIDIMessage(low: 0x90, byteCount: 0), MIDIMessage(0xF4, byteCount: 1),
        MIDIMessage(low: 0x7F01F0, byteCount: 3), MIDIMessage(low: 0xF7_8001F0, byteCount: 4),
        MIDIMessage(low: 0xF0, byteCount: 16, continues: true), MIDIMessage(low: 0x3C90, byteCount: 3, continues: true),
        MIDIMessage(low: 0x90, byteCount: 200),
    ])
    func whatIsNoneIsTold(message: MIDIMessage) { #expect(!message.isWhole) }

    @Test func bytesAreFoundByTheirIndex() {
        let message = MIDIMessage(low: 0x0706_0504_0302_0100, high: 0x0F0E_0D0C_0B0A_0908, byteCount: 16)
        #expect((0..<16).map { message[$0] } == Array(0..<16))
        let note = MIDIMessage(0x90, 60, 100)
        #expect((0..<3).map { note[$0] } == [0x90, 60, 100] && note.byteCount == 3)
    }

    @Test(arguments: [1, 6, 15, 16, 17, 32, 33, 408]) func aLongMessageIsCutIntoPiecesAndEachIsRecognised(count: Int) {
        let bytes = count == 1 ? [0xF7] : [0xF0] + (0..<count - 2).map { UInt8($0 & 127) } + [0xF7]
        let pieces = MIDIMessage.pieces(of: bytes, cable: 3)
        #expect(pieces.flatMap { piece in (0..<Int(piece.byteCount)).map { piece[$0] } } == bytes)
        #expect(pieces.map(\.continues) == pieces.indices.map { $0 + 1 < pieces.count })
        #expect(pieces.allSatisfy { $0.isSystemExclusivePiece && $0.cable == 3 && $0.byteCount <= 16 })
        #expect(pieces.count == (count + 15) / 16 && (pieces.count > 1 || count == 1 || pieces[0].isWhole))
    }

    @Test(arguments: [
        MIDIMessage(0x90, 60, 100), MIDIMessage(low: 0, byteCount: 0), MIDIMessage(low: 0xF8, byteCount: 1),
        // No end and no more pieces, an end and more pieces, F0 or F7 in the middle, a status among the data.
        MIDIMessage(low: 0x0102F0, byteCount: 3), MIDIMessage(low: 0xF70102, byteCount: 3, continues: true),
        MIDIMessage(low: 0x01F002, byteCount: 3, continues: true), MIDIMessage(low: 0xF7F701, byteCount: 3),
        MIDIMessage(low: 0x01F7, byteCount: 2, continues: true), MIDIMessage(low: 0xF79001, byteCount: 3),
        MIDIMessage(low: 0x01, byteCount: 17, continues: true),
    ])
    func whatIsNoPieceIsTold(message: MIDIMessage) { #expect(!message.isSystemExclusivePiece) }
}
