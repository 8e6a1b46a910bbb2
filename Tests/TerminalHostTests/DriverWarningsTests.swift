// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sentences about what PipeWire's graph does otherwise than it was asked. Test thread.

import Testing

@testable import TerminalHost

@Suite struct DriverWarningsTests {
    @Test func anotherQuantumIsSaidWithTheReason() throws {
        let odd = try #require(DriverWarnings.sentence(wanted: 1000, got: 512))
        #expect(odd == "The cycles have 512 frames and not the 1000 of --quantum: it takes powers of two.")
        #expect(try #require(DriverWarnings.sentence(wanted: 4096, got: 2048)).contains("limits"))
        #expect(DriverWarnings.sentence(wanted: 256, got: 256) == nil)
    }

    @Test func channelsThatShareOneAreSaid() {
        #expect(DriverWarnings.sentence(sharing: 2).contains("left and right are heard in it together, each at 1/2 of its level"))
        #expect(DriverWarnings.sentence(sharing: 6).contains("all 6 channels"))
    }
}
