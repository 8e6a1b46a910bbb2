// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node's ports that come and go while it runs, in a PipeWire of its own. Test thread.

import Rendering
import TestSupport
import Testing

@testable import PipeWireIO

@Suite(.timed("plays in a PipeWire of its own"), .serialized, .timeLimit(.minutes(1)))
struct BusChangeTests {
    private func configuration(_ session: PrivatePipeWire, _ kind: PipeWireKind = .filter) -> PipeWireConfiguration {
        var configuration = PipeWireConfiguration(nodeName: "bulkhead-filter", description: "Bulkhead test", kind: kind)
        configuration.socketPath = session.socketPath
        return configuration
    }

    private func ports(_ session: PrivatePipeWire) throws -> String { try output(["pw-link", "-io"], session) }

    @Test func portsComeAndGoWhileTheNodeRuns() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(configuration(session))
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(try filter.addBus(DriverBus(name: "key"), isInput: true) == 0)
        #expect(try filter.addBus(DriverBus(name: "talk", channelCount: 1), isInput: true) == 2)
        #expect(try filter.addBus(DriverBus(name: "wet"), isInput: false) == 0)
        #expect(waitUntil(milliseconds: 3000) { (try? ports(session).contains("bulkhead-filter:wet_FR\n")) == true })
        let all = try ports(session)
        for port in ["key_FL", "key_FR", "talk", "wet_FL", "output_FL"] {
            #expect(all.contains("bulkhead-filter:\(port)\n"), "\(all)")
        }
        filter.removeBus(named: "key")
        #expect(waitUntil(milliseconds: 3000) { (try? ports(session).contains("bulkhead-filter:key_FL")) == false })
        #expect(try ports(session).contains("bulkhead-filter:talk\n"))
        // The next one gets the place that is free.
        #expect(try filter.addBus(DriverBus(name: "pad"), isInput: true) == 0)
        let frames = ear.framesRendered
        #expect(waitUntil(milliseconds: 3000) { ear.framesRendered > frames })
        #expect(ear.discontinuities == 0)
    }

    @Test func aPortThatHasComeIsHeardWhileItIsLinked() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.25)
        var playing = configuration(session, .playback)
        playing.nodeName = "bulkhead-test"
        let player = PipeWireDriver(playing)
        try player.start(tone.callback)
        defer { player.stop() }
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(configuration(session))
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(try filter.addBus(DriverBus(name: "key", channelCount: 1), isInput: true) == 0)
        #expect(!filter.isBusLinked(named: "key"))
        #expect(waitUntil(milliseconds: 3000) { (try? ports(session).contains("bulkhead-filter:key\n")) == true })
        let link = ["bulkhead-test:output_FL", "bulkhead-filter:key"]
        _ = try output(["pw-link"] + link, session)
        #expect(waitUntil(milliseconds: 3000) { filter.isBusLinked(named: "key") && ear.peakOfInput > 0.2 })
        _ = try output(["pw-link", "-d"] + link, session)
        #expect(waitUntil(milliseconds: 3000) { !filter.isBusLinked(named: "key") && ear.peakOfInput == 0 })
        // One that goes while it is linked takes its links along.
        _ = try output(["pw-link"] + link, session)
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput > 0.2 })
        filter.removeBus(named: "key")
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput == 0 })
        #expect(waitUntil(milliseconds: 3000) { (try? ports(session).contains("bulkhead-filter:key")) == false })
    }

    @Test func portsThatComeAndGoAllTheTimeDisturbNothing() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.25)
        let player = PipeWireDriver(configuration(session, .playback))
        try player.start(tone.callback)
        defer { player.stop() }
        let frames = tone.framesRendered
        for round in 0..<200 {
            #expect(try player.addBus(DriverBus(name: "key\(round)"), isInput: true) == 0)
            #expect(try player.addBus(DriverBus(name: "wet\(round)"), isInput: false) == 0)
            player.removeBus(named: "key\(round)")
            player.removeBus(named: "wet\(round)")
        }
        #expect(waitUntil(milliseconds: 3000) { tone.framesRendered > frames + 4096 })
        #expect(player.failure == nil && tone.discontinuities == 0 && player.activeLinkCount == 2)
    }

    @Test func busesThatHaveComeStayThroughAStartAnew() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(configuration(session))
        try filter.start(ear.callback)
        #expect(try filter.addBus(DriverBus(name: "key"), isInput: true) == 0)
        filter.stop()
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(waitUntil(milliseconds: 3000) { (try? ports(session).contains("bulkhead-filter:key_FL\n")) == true })
    }

    @Test func aBusThatHasNoRoomOrNoNameOrNoNodeIsRefused() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(configuration(session))
        #expect(throws: DriverBusError.notRunning) { try filter.addBus(DriverBus(name: "key"), isInput: true) }
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(throws: DriverBusError.badName) { try filter.addBus(DriverBus(name: "a key"), isInput: true) }
        #expect(throws: DriverBusError.noRoom) { try filter.addBus(DriverBus(name: "wide", channelCount: 63), isInput: false) }
        #expect(try filter.addBus(DriverBus(name: "key", channelCount: 62), isInput: false) == 0)
        #expect(throws: DriverBusError.badName) { try filter.addBus(DriverBus(name: "key"), isInput: true) }
        #expect(throws: DriverBusError.noRoom) { try filter.addBus(DriverBus(name: "one", channelCount: 1), isInput: false) }
    }
}
