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
}
