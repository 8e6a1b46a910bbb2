// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that is open before it plays, in a PipeWire of its own. Test thread.

import Rendering
import TestSupport
import Testing

@testable import PipeWireIO

@Suite(.timed("plays in a PipeWire of its own"), .serialized, .timeLimit(.minutes(1)))
struct OpenDriverTests {
    private func driver(_ session: PrivatePipeWire, _ kind: PipeWireKind) -> PipeWireDriver {
        var configuration = PipeWireConfiguration(nodeName: "bulkhead-open", description: "Bulkhead test", kind: kind)
        configuration.socketPath = session.socketPath
        return PipeWireDriver(configuration)
    }

    /// The links of the session, one port a line.
    private func links(_ session: PrivatePipeWire) throws -> String { try output(["pw-link", "-l"], session) }

    @Test func itTellsTheRateAndPlaysFromFrameZeroLater() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let (driver, tone) = (driver(session, .playback), Tone(frequency: 440, amplitude: 0.1))
        try driver.open()
        defer { driver.stop() }
        #expect(waitUntil(milliseconds: 2000) { driver.status.sampleRate == 48000 })
        #expect(driver.activeLinkCount == 2)
        let thread = driver.renderThreadIdentifier
        #expect(thread != nil && driver.status.cycles == 0 && tone.framesRendered == 0)
        try driver.start(tone.callback)
        #expect(waitUntil(milliseconds: 2000) { tone.framesRendered > 4096 })
        // Frame zero was the first one, and the node is still the same.
        #expect(tone.discontinuities == 0 && driver.renderThreadIdentifier == thread)
        let cycles = driver.status.cycles
        #expect(cycles > 0 && cycles <= UInt64(tone.framesRendered) / 1024 + 1)
        #expect(throws: PipeWireError.self) { try driver.start(tone.callback) }
    }

    @Test func linksThatOthersHaveMadeMeanwhileStay() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let (driver, tone) = (driver(session, .filter), Tone(frequency: 440, amplitude: 0.1))
        try driver.open()
        defer { driver.stop() }
        _ = try output(["pw-link", "bulkhead-open:output_FL", "\(session.sinkName):playback_FL"], session)
        #expect(try links(session).contains("|-> \(session.sinkName):playback_FL"))
        try driver.start(tone.callback)
        #expect(waitUntil(milliseconds: 2000) { tone.framesRendered > 0 })
        #expect(try links(session).contains("|-> \(session.sinkName):playback_FL"))
    }

    @Test func itIsMadeAnewForOtherPorts() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let (driver, tone) = (driver(session, .filter), Tone(frequency: 440, amplitude: 0.1))
        try driver.open()
        defer { driver.stop() }
        driver.midiPortNames = ["pads"]
        try driver.start(tone.callback)
        #expect(waitUntil(milliseconds: 2000) { tone.framesRendered > 4096 })
        #expect(tone.discontinuities == 0)
        #expect(try output(["pw-link", "-i"], session).contains("bulkhead-open:pads\n"))
    }

    @Test func itEndsWithoutAStart() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let driver = driver(session, .filter)
        try driver.open()
        try driver.open()
        #expect(try output(["pw-link", "-o"], session).contains("bulkhead-open:output_FL\n"))
        driver.stop()
        #expect(try !output(["pw-link", "-o"], session).contains("bulkhead-open"))
    }
}
