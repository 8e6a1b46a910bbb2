// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a peer may write into text. Test thread.

import ControlMessages
import Testing

@Suite struct TextTests {
    @Test func controlCharactersBecomeSpacesSoThatNoNameSteersATerminal() throws {
        var writer = PayloadWriter()
        writer.write("Re\u{1B}[31mverb\n\u{9B}2J")
        var reader = PayloadReader(writer.bytes)
        #expect(try reader.readString() == "Re [31mverb  2J")
    }

    @Test func otherTextStaysAsItIs() throws {
        var writer = PayloadWriter()
        writer.write("Größe – 音量")
        var reader = PayloadReader(writer.bytes)
        #expect(try reader.readString() == "Größe – 音量")
    }
}
