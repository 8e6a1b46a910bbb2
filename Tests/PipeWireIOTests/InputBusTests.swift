// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node's further inputs, such as side chains, in a PipeWire of its own. Test thread.

import Rendering
import TestSupport
import Testing

@testable import PipeWireIO

@Suite(.timed("plays in a PipeWire of its own"), .serialized, .timeLimit(.minutes(1)))
struct InputBusTests {
    private func configuration(_ session: PrivatePipeWire, _ kind: PipeWireKind = .playback) -> PipeWireConfiguration {
        var configuration = PipeWireConfiguration(nodeName: "bulkhead-test", description: "Bulkhead test", kind: kind)
        configuration.socketPath = session.socketPath
        return configuration
    }

    @Test func furtherInputsArePortsThatNoSourceIsLinkedTo() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.25)
        let player = PipeWireDriver(configuration(session))
        try player.start(tone.callback)
        defer { player.stop() }
        var wish = configuration(session, .filter)
        wish.nodeName = "bulkhead-filter"
        wish.inputChannelCount = 2
        wish.source = .named(session.sinkName)
        wish.inputBuses = [DriverBus(name: "key"), DriverBus(name: "talk", channelCount: 1)]
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(wish)
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput > 0.2 })
        #expect(filter.activeLinkCount == 2)
        let ports = try output(["pw-link", "-i"], session)
        for port in ["input_FL", "input_FR", "key_FL", "key_FR", "talk"] {
            #expect(ports.contains("bulkhead-filter:\(port)\n"), "\(ports)")
        }
        let links = try output(["pw-link", "-l"], session)
        #expect(links.contains("bulkhead-filter:input_FL") && !links.contains("bulkhead-filter:key"), "\(links)")
    }

    @Test func aFurtherInputIsHeardWhileItIsLinked() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.25)
        let player = PipeWireDriver(configuration(session))
        try player.start(tone.callback)
        defer { player.stop() }
        var wish = configuration(session, .filter)
        wish.nodeName = "bulkhead-filter"
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(wish)
        filter.inputBuses = [DriverBus(name: "key", channelCount: 1)]
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(waitUntil(milliseconds: 3000) { ear.framesRendered > 4096 })
        #expect(ear.peakOfInput == 0)
        let link = ["bulkhead-test:output_FL", "bulkhead-filter:key"]
        _ = try output(["pw-link"] + link, session)
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput > 0.2 })
        _ = try output(["pw-link", "-d"] + link, session)
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput == 0 })
    }

    @Test(arguments: [
        ([DriverBus(name: "a key")], "cannot name ports"), ([DriverBus(name: "key"), DriverBus(name: "key")], "the same name"),
        ([DriverBus(name: "key", channelCount: 0)], "1 to 64 channels"),
        ([DriverBus(name: "key", channelCount: 40), DriverBus(name: "pad", channelCount: 40)], "64 input channels"),
    ])
    func furtherInputsThatCannotBeAreRefused(buses: [DriverBus], reason: String) throws {
        let driver = PipeWireDriver()
        driver.inputBuses = buses
        let tone = Tone(frequency: 440, amplitude: 0)
        let error = #expect(throws: PipeWireError.self) { try driver.start(tone.callback) }
        #expect("\(try #require(error))".contains(reason))
    }
}
