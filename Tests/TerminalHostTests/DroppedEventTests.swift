// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is said of values and MIDI messages that a unit drops. Test thread.

import Testing

@testable import TerminalHost

@Suite struct DroppedEventTests {
    @Test func theyAreAFindingOfARenderedFile() {
        #expect(RenderFindings.dropped(0, by: "Drums") == nil)
        let wanted = "\"Drums\" dropped 1 value or MIDI message: there was no room for so many, or it does not understand them."
        #expect(RenderFindings.dropped(1, by: "Drums") == RenderFinding(kind: .eventsDropped, description: wanted))
        #expect(RenderFindings.dropped(20, by: "Drums")?.description.contains("dropped 20 values and MIDI messages") == true)
    }

    @Test func theyAreSaidOnceOfEachUnitThatPlays() {
        final class Unit {}
        let (one, other) = (Unit(), Unit())
        var messages = FaultMessages()
        #expect(messages.dropping(0, "One", ObjectIdentifier(one)).isEmpty)
        #expect(messages.dropping(1, "One", ObjectIdentifier(one)).count == 1)
        #expect(messages.dropping(2, "One", ObjectIdentifier(one)).isEmpty)
        let said = messages.dropping(2, "Other", ObjectIdentifier(other))
        #expect(said.count == 1 && said[0].hasPrefix("\"Other\" dropped 2 values") && said[0].hasSuffix("this is counted only."))
        withExtendedLifetime((one, other)) {}
    }
}
