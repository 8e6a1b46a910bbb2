// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values and MIDI messages that a unit drops are counted in the status of a session. Test thread.

import AudioUnits
import HostingTestSupport
import JSON
import TestSupport
import Testing

@testable import Control

@Suite(.timeLimit(.minutes(5))) struct DroppedEventStatusTests {
    @Test func whatAUnitDropsIsCounted() throws {
        // It takes no MIDI.
        let bench = try ControlBench([("Tremolo", "Tremolo"), ("Gain", "Gain")])
        let client = try bench.client()
        func dropped(_ node: String) throws -> JSONValue? {
            try client.call("status")["nodes"]?.list?.first { $0["id"] == .text(node) }?["droppedEvents"]
        }
        #expect(try dropped("Tremolo") == .number(0))
        let unit = try #require(bench.session.graph.unit(of: "Tremolo"))
        for _ in 0..<3 { try unit.hosted.send(MIDIMessage(0x90, 60, 100)) }
        #expect(try Patience.until { try dropped("Tremolo") == .number(3) })
        #expect(try dropped("Gain") == .number(0))
    }
}
