// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sentences about what PipeWire's graph does otherwise than it was asked. Test thread.

import Testing

@testable import TerminalHost

@Suite struct DriverWarningsTests {
    @Test func anotherQuantumIsSaidWithTheReason() throws {
        let odd = DriverWarnings.sentence(wanted: 1000, got: 512, takesAnyQuantum: false)
        #expect(odd == "The cycles have 512 frames and not the 1000 of --quantum: it takes powers of two.")
        let sentence = DriverWarnings.sentence(wanted: 1000, got: 512, takesAnyQuantum: true)
        #expect(try #require(sentence).contains("limits"))
        for takesAnyQuantum in [false, true] {
            let even = DriverWarnings.sentence(wanted: 4096, got: 2048, takesAnyQuantum: takesAnyQuantum)
            #expect(try #require(even).contains("limits"))
            #expect(DriverWarnings.sentence(wanted: 256, got: 256, takesAnyQuantum: takesAnyQuantum) == nil)
        }
    }

    @Test func channelsThatShareOneAreSaid() {
        #expect(DriverWarnings.sentence(sharing: 2).contains("left and right are heard in it together, each at 1/2 of its level"))
        #expect(DriverWarnings.sentence(sharing: 6).contains("all 6 channels"))
    }
}
