// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The commands to a unit have room for all of its MIDI state, and go together or not at all. Test thread.

import AudioUnits
import Testing
import Wire

@testable import PluginHosting

@Suite struct UnitMailboxTests {
    private let event = RenderEvent.midi(MIDIMessage(0x90, 60, 100, byteCount: 3)).wireEvent(at: 0)

    @Test func eventsThatBelongTogetherAreSentTogetherOrNot() {
        let mailbox = UnitMailbox()
        let most = UnitMailbox.commandCapacity
        #expect(mailbox.send(all: Array(repeating: event, count: most - 1)))
        #expect(!mailbox.send(all: [event, event]))
        #expect(mailbox.send(event) && !mailbox.send(event))
        let commands = mailbox.renderEnds().commands
        let isFull = if case .count(most) = commands.available() { true } else { false }
        #expect(isFull)
    }
}
