// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A running session and its senders of OSC, over sockets of this machine. Test thread.

import Foundation
import GraphDocuments
import HostingTestSupport
import OpenSoundControl
import PluginHosting
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(15))) struct OSCServerTests {
    private func serve(_ bench: ControlBench) throws -> UInt16 {
        let sockets = try OSCSockets(port: 0)
        try bench.session.serveOSC(at: sockets)
        return sockets.port
    }

    private func value(_ bench: ControlBench, _ node: String, _ keyPath: String) -> Double? {
        bench.session.graph.units.first { $0.name == node }?.unit.value(of: keyPath)
    }

    @Test func valuesAreSetAndAskedFor() throws {
        let bench = try ControlBench([("Low cut.1", "Filter"), ("Gain", "Gain")])
        let sender = try OSCSender(to: serve(bench))
        sender.send("/Low%20cut.1/cutoff", .float(500))
        #expect(becomes { self.value(bench, "Low cut.1", "cutoff") == 500 })
        sender.send("/Low%20cut.1/cutoff")
        #expect(try sender.hear() == OSCMessage("/Low%20cut.1/cutoff", .float(500)))
        for (argument, gain) in [(OSCArgument.integer(-3), -3.0), (.double(-4.5), -4.5), (.text("-6"), -6)] {
            sender.send("/Gain/gain", argument)
            #expect(becomes { self.value(bench, "Gain", "gain") == gain })
        }
        sender.send("/main/volume", .float(0.5))
        #expect(becomes { bench.session.graph.captured.mainVolume == 0.5 })
        sender.send("/bypass/Gain", .flag(true))
        #expect(becomes { bench.session.graph.units[1].unit.shouldBypassEffect })
        sender.send("/bypass/Gain")
        #expect(try sender.hear() == OSCMessage("/bypass/Gain", .integer(1)))
        sender.send("/status")
        #expect(try sender.hear("/status")?.arguments[1] == .float(48_000))
        // What cannot be is told in a sentence.
        for (address, argument) in [
            ("/Gain/gain", OSCArgument.float(1e6)), ("/Gain/loudness", .float(1)), ("/Nobody/gain", .float(1)),
        ] {
            sender.send(address, argument)
            let answer = try sender.hear()
            #expect(answer?.address == "/error" && answer?.arguments.count == 1)
        }
    }

    @Test func aTrackerTurnsTheHeadOfTheListener() throws {
        let bench = try ControlBench([])
        let sender = try OSCSender(to: serve(bench))
        sender.send("/ypr", .float(30), .float(-10), .float(5))
        #expect(try sender.hear("/error")?.arguments == [.text("No listener is here whose head could turn.")])
        var document = bench.session.graph.captured
        document.nodes.append(.init(id: "space", .environment(.init())))
        document.connections = [
            .init(from: .init("player"), to: .init("space")), .init(from: .init("space"), to: .init("main")),
        ]
        let registry = ControlBench.registry
        try bench.session.graph.become(document, from: registry, allowing: Allowances(), name: "space")
        func angles() -> [Double?] { [.yaw, .pitch, .roll].map { bench.session.graph.value(of: GraphValue("space", $0)) } }
        sender.send("/ypr", .float(30), .float(-10), .float(5))
        #expect(becomes { angles() == [30, -10, 5] })
        sender.send("/space/ypr", .float(-45), .float(0), .float(0))
        #expect(becomes { angles() == [-45, 0, 0] })
        document.nodes.append(.init(id: "second", .environment(.init())))
        document.connections.append(.init(from: .init("second"), to: .init("main")))
        try bench.session.graph.become(document, from: registry, allowing: Allowances(), name: "two")
        sender.send("/ypr", .float(0), .float(0), .float(0))
        #expect(try sender.hear("/error")?.arguments == [.text("There are 2 listeners; say which one, as in /NODE/ypr.")])
    }

    @Test func aPatternSetsAllThatItMatches() throws {
        let bench = try ControlBench([("Gain1", "Gain"), ("Gain2", "Gain"), ("Low cut", "Filter")])
        let sender = try OSCSender(to: serve(bench))
        sender.send("/Gain?/gain", .float(-9))
        #expect(becomes { ["Gain1", "Gain2"].allSatisfy { self.value(bench, $0, "gain") == -9 } })
        sender.send("/bypass/*", .integer(1))
        #expect(becomes { bench.session.graph.units.allSatisfy(\.unit.shouldBypassEffect) })
        for (address, part) in [("/Absent*/gain", "matches no"), ("/Gain[/gain", "brackets")] {
            sender.send(address, .float(1))
            guard case .text(let sentence)? = try sender.hear("/error")?.arguments.first else {
                Issue.record("\(address) was not refused")
                continue
            }
            #expect(sentence.contains(part))
        }
    }

    private static let hasNewerFamily = (try? OSCSocket("::1", port: 0)) != nil

    @Test(.enabled(if: hasNewerFamily, "this machine has no address ::1")) func theNewerFamilyOfAddressesIsServed() throws {
        let bench = try ControlBench()
        let sockets = try OSCSockets(port: 0)
        try bench.session.serveOSC(at: sockets)
        let sender = try OSCSender(to: sockets.port, isSix: true)
        sender.send("/Gain/gain")
        #expect(try sender.hear()?.address == "/Gain/gain")
        #expect(!sockets.isOpenToOthers)
        #expect(throws: (any Error).self) { try OSCSockets(port: sockets.port) }
        #expect(throws: (any Error).self) { try OSCSockets(port: 0, address: "nowhere") }
        #expect(try OSCSockets(port: 0, address: "0.0.0.0").isOpenToOthers)
    }

    @Test func scenesAreGoneToAndEditsTakenBack() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        for name in ["Verse", "Chorus"] { _ = try client.call("saveScene", ["name": .text(name)]) }
        let sender = try OSCSender(to: serve(bench))
        sender.send("/scene", .text("Verse"))
        #expect(becomes { try client.call("scenes")["scene"] == "Verse" })
        sender.send("/scene", .integer(2))
        #expect(becomes { try client.call("scenes")["scene"] == "Chorus" })
        sender.send("/scenes")
        #expect(try sender.hear() == OSCMessage("/scenes", .text("Verse"), .text("Chorus")))
        sender.send("/scene", .integer(3))
        #expect(try sender.hear()?.address == "/error")
        sender.send("/Gain/gain", .float(-9))
        #expect(becomes { self.value(bench, "Gain", "gain") == -9 })
        sender.send("/undo", .float(1))
        #expect(becomes { self.value(bench, "Gain", "gain") == 0 })
        // The button comes up.
        sender.send("/undo", .float(0))
        sender.send("/redo")
        #expect(becomes { self.value(bench, "Gain", "gain") == -9 })
        sender.send("/redo")
        #expect(try sender.hear() == OSCMessage("/error", .text("There is nothing to redo.")))
    }

    @Test func watchersAreToldWhatOthersChange() throws {
        let bench = try ControlBench()
        let port = try serve(bench)
        let (sender, other) = (try OSCSender(to: port), try OSCSender(to: port))
        sender.send("/watch")
        other.send("/watch", .text("parameters"), .text("meters"))
        #expect(becomes { bench.session.isWatched([.meters]) && bench.session.isWatched([.edits]) })
        bench.session.tick(peaks: (0.5, 0.25))
        #expect(try other.hear() == OSCMessage("/meters", .float(0.5), .float(0.25)))
        sender.send("/Reverb/mix", .float(70))
        #expect(becomes { self.value(bench, "Reverb", "mix") == 70 })
        bench.session.tick(peaks: (0, 0))
        #expect(try other.hear("/Reverb/mix") == OSCMessage("/Reverb/mix", .float(70)))
        _ = try bench.client().call("set", ["path": "Gain.gain", "value": .number(-2)])
        bench.session.tick(peaks: (0, 0))
        // Its own value does not come back.
        #expect(try sender.hear() == OSCMessage("/Gain/gain", .float(-2)))
        _ = try bench.client().call("set", ["path": "player.volume", "value": .number(0.5)])
        bench.session.tick(peaks: (0, 0))
        #expect(try sender.hear("/player/volume") == OSCMessage("/player/volume", .float(0.5)))
        _ = try bench.client().call("bypass", ["node": "Gain", "on": true])
        #expect(try sender.hear("/bypass/Gain") == OSCMessage("/bypass/Gain", .integer(1)))
        _ = try bench.client().call("saveScene", ["name": "Verse"])
        #expect(try sender.hear("/edits")?.arguments.last != nil)
        _ = try bench.client().call("scene", ["name": "Verse"])
        #expect(try sender.hear("/scene") == OSCMessage("/scene", .text("Verse")))
        for one in [sender, other] { one.send("/unwatch") }
        #expect(becomes { !bench.session.isWatched(Set(ControlTopic.allCases)) })
    }

    @Test func bundlesAreCarriedOutAtTheirTime() throws {
        let bench = try ControlBench()
        let sender = try OSCSender(to: serve(bench))
        func bundle(_ mix: Float, _ gain: Float, _ time: OSCTime) -> [UInt8] {
            OSCPacket.bundle(
                [OSCMessage("/Reverb/mix", .float(mix)).bytes, OSCMessage("/Gain/gain", .float(gain)).bytes], at: time)
        }
        sender.send(bundle(10, -1, .immediate))
        #expect(becomes { self.value(bench, "Reverb", "mix") == 10 && self.value(bench, "Gain", "gain") == -1 })
        let now = UInt64(Date().timeIntervalSince1970 * 1e9)
        sender.send(bundle(30, -3, .after(now + 1_000_000_000)))
        sender.send(bundle(20, -2, .after(now - 1_000_000_000)))
        #expect(becomes { self.value(bench, "Gain", "gain") == -2 })
        #expect(becomes { self.value(bench, "Gain", "gain") == -3 })
        #expect(UInt64(Date().timeIntervalSince1970 * 1e9) >= now + 1_000_000_000)
        #expect(value(bench, "Reverb", "mix") == 30)
        // Nothing waits for hours.
        sender.send(bundle(40, -4, .after(now + 7200 * 1_000_000_000)))
        #expect(try sender.hear()?.address == "/error")
    }

    @Test func packetsThatMeanHarmDoNothing() throws {
        let bench = try ControlBench()
        let sender = try OSCSender(to: serve(bench))
        let (file, revision) = (bench.session.graph.captured, bench.session.change)
        var random = Seed()
        for _ in 0..<2000 {
            sender.send((0..<Int.random(in: 1...64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            sender.send("/Gain/gain", .float(.nan))
            sender.send("/Gain/gain", .float(.infinity))
        }
        sender.send([UInt8](repeating: 0x2F, count: 60_000))
        // The flood may have taken the place of a question.
        var (errors, isAnswered) = (0, false)
        for _ in 0..<50 where !isAnswered {
            sender.send("/status")
            while let message = try sender.hear(within: 0.2) {
                errors += message.address == "/error" ? 1 : 0
                isAnswered = isAnswered || message.address == "/status"
            }
        }
        #expect(isAnswered)
        #expect(bench.session.graph.captured == file && bench.session.change == revision)
        // Errors are told at a limited rate: most of the flood is not answered.
        #expect(errors <= 200)
    }
}
