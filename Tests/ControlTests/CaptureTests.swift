// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a capture writes of a session, what it keeps alive, and what is refused when it is read. Test thread.

import Foundation
import GraphDocuments
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@testable import AudioGraph
@testable import Control
@testable import Rendering

@Suite(.serialized, .timeLimit(.minutes(15))) struct CaptureTests {
    private let folder = CaptureFolder(FileManager.default.temporaryDirectory.path + "/capture-\(UUID().uuidString)")

    /// Captures a session that plays, and returns what was written.
    private func captured(_ bench: ControlBench, _ body: (SessionCapture) throws -> Void) throws -> [CapturedEvent] {
        try folder.make()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        let capture = try SessionCapture(bench.session, into: folder, CaptureFacts(command: "test", loopsSong: false))
        let result = Result { try body(capture) }
        bench.engine.stop()
        try capture.finish()
        try result.get()
        return try CapturedEvent.events(inFile: folder.events)
    }

    private func eventually(within seconds: Double, _ condition: () -> Bool) -> Bool {
        Patience.until(within: seconds, every: 20_000, condition)
    }

    /// Lets the engine render so many cycles more, so that what was changed is heard.
    private func play(cycles: Int = 20, _ bench: ControlBench) {
        let before = bench.engine.statistics?.cycles ?? 0
        #expect(eventually(within: 1) { (bench.engine.statistics?.cycles ?? 0) >= before + UInt64(cycles) })
    }

    /// Lets former scenes ring out.
    private func settle(_ bench: ControlBench) {
        #expect(
            eventually(within: 20) {
                bench.session.tick(peaks: (0, 0))
                return bench.session.state.withLock { $0.ringing.isEmpty }
            })
    }

    @Test func noUnitLivesLongerBecauseItHasBeenCaptured() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "one"])
        weak let unit = bench.session.graph.units.first?.unit
        try #require(unit != nil)
        let process = try #require(unit?.processIdentifier)
        let events = try captured(bench) { _ in
            play(bench)
            _ = try client.call("scene", ["name": "one"])
            settle(bench)
            #expect(eventually(within: 10) { unit == nil && kill(process, 0) != 0 })
        }
        #expect(events.contains { $0.event == .removal && $0.madeBy == 0 })
    }

    @Test func unitsOfOneNameAreToldApartByTheSceneThatMadeThem() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "one"])
        let events = try captured(bench) { _ in
            let former = try #require(bench.session.graph.units.first?.unit)
            _ = try client.call("scene", ["name": "one"])
            // The former scene's unit takes it while it rings out.
            try former.setValue(-3, of: "gain")
            _ = try client.call("set", ["path": "Gain.gain", "value": .number(-4)])
            play(bench)
            settle(bench)
        }
        let gains = events.filter { $0.keyPath == "gain" }
        #expect(gains.contains { $0.value == -3 && $0.madeBy == 0 } && gains.contains { $0.value == -4 && $0.madeBy == 1 })
    }

    @Test func aChangeOfSomethingThatIsInNoGraphIsWritten() throws {
        let bench = try ControlBench()
        let events = try captured(bench) { _ in
            bench.engine.stop()
            bench.engine.eventLog.core.pointee.write(LoggedEvent(.bypass, at: 12, of: .max, value: 1))
        }
        let event = try #require(events.first { $0.event == .unrepeatable })
        #expect(event.frame == 12 && event.title?.contains("in no graph") == true)
    }

    @Test func anEditThatIsNotHeardBeforeTheEndIsWritten() throws {
        let bench = try ControlBench()
        let (graph, ticket) = (bench.session.graph, EditTicket())
        let events = try captured(bench) { capture in
            capture.note(.edit, "the graph was edited", graph.document, of: graph, heardAt: ticket, since: 7)
        }
        let event = try #require(events.first { $0.event == .unrepeatable })
        #expect(event.frame == 7 && event.title == "the graph was edited, at a frame that is not known")
    }

    @Test func aNodeThatIsMovedAmongOtherValuesIsWrittenOnce() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        var document = bench.session.graph.captured
        document.nodes.append(.init(id: "room", .environment(.init())))
        document.nodes[document.nodes.firstIndex { $0.id == "Reverb" } ?? 0].position = .init(x: 1, y: 0, z: -2)
        document.connections.removeAll { $0.from.node == "Reverb" }
        document.connections += [.init(from: .init("Reverb"), to: .init("room")), .init(from: .init("room"), to: .init("main"))]
        _ = try client.call("replace", ["graph": bench.session.json(of: document)])
        let events = try captured(bench) { _ in
            // One gesture of a controller.
            for (path, number) in [("Gain.gain", -3), ("Reverb.position.x", 2), ("Reverb.position.y", 1), ("Reverb.position.x", 3)]
            {
                bench.session.move([MappedMove(path: path, number: Double(number))])
            }
        }
        #expect(events.filter { $0.event == .unrepeatable }.compactMap(\.title) == ["\"Reverb\" was moved"])
    }

    @Test func whatIsLinkedToASideChainIsWrittenAsUnrepeatable() throws {
        let driver = PortDriver()
        let bench = try ControlBench([("Probe", "Probe")], driver: driver)
        bench.session.offerUnitPorts()
        let events = try captured(bench) { _ in
            for isLinked in [true, false] {
                driver.link("Probe_Side-Chain", isLinked)
                bench.session.followUnitPorts()
            }
        }
        let titles = events.filter { $0.event == .unrepeatable }.compactMap(\.title)
        #expect(titles == ["the ports \"Probe_Side-Chain\" were linked", "the ports \"Probe_Side-Chain\" were unlinked"])
    }

    @Test func aSceneIsWrittenWithTheVersionsThatPlayIt() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "one"])
        let version = try #require(bench.session.graph.units.first?.unit.unitDescription.version.description)
        bench.session.state.withLock { state in
            guard case .unit(let unit) = state.scenes[0].graph.nodes[1].kind else { return }
            var saved = unit.saved
            saved.version = "0.0.1"
            state.scenes[0].graph.nodes[1].kind = .unit(GraphDocument.Unit(saved))
        }
        let events = try captured(bench) { _ in
            _ = try client.call("scene", ["name": "one"])
            play(bench)
        }
        let graph = try #require(events.first { $0.event == .scene }?.graph)
        #expect(graph.savedUnits.map(\.version) == [version])
    }

    @Test func theSealOfAnEventHoldsInItsCaptureAlone() throws {
        var event = CapturedEvent(.edit, at: 3)
        event.graph = GraphDocument(nodes: [], connections: [])
        #expect(!event.isOwn(in: "one"))
        let sealed = event.sealed(in: "one")
        #expect(sealed.isOwn(in: "one") && !sealed.isOwn(in: "two"))
        var moved = sealed
        moved.frame = 4
        #expect(!moved.isOwn(in: "one"))
    }

    @Test func eachCaptureHasAnIdentifierOfItsOwnThatItsSealedSessionNames() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let names = try (0..<2).map { _ in
            try folder.make()
            defer { try? FileManager.default.removeItem(atPath: folder.path) }
            let capture = try SessionCapture(bench.session, into: folder, CaptureFacts(command: "test", loopsSong: false))
            try capture.finish()
            let session = try SessionFile(contentsOfFile: folder.session)
            #expect(session.isOwn && capture.sealComplaint == nil)
            return try #require(session.capture)
        }
        #expect(names[0] != names[1] && names.allSatisfy { $0.count == 32 })
        #expect(bench.session.file.capture == nil)
    }

    @Test(arguments: [
        (#"{"event":"replaced","frame":9223372036854775807,"node":"a","frameCount":1}"#, "\"frame\" is above"),
        (#"{"event":"replaced","frame":1,"node":"a","frameCount":9223372036854775807}"#, "\"frameCount\" is not from 1"),
        (#"{"event":"replaced","frame":1,"node":"a","frameCount":0}"#, "\"frameCount\" is not from 1"),
        (#"{"event":"replaced","frame":1,"node":"a"}"#, "\"frameCount\" is missing"),
        (#"{"event":"removal","frame":1,"madeBy":-1}"#, "\"madeBy\" is negative"), (#"{"event":"#, "line 2"),
        (#"{"event":"end","frame":-1}"#, "\"frame\" is negative"),
    ])
    func anEventThatCannotBeIsRefusedWithItsLine(line: String, reason: String) throws {
        let defect = #expect(throws: FileDefect.self) { try read("{\"event\":\"plan\",\"frame\":3}\n\(line)\n") }
        let sentence = try #require(defect).reason
        #expect(sentence.hasPrefix("line 2: ") && sentence.contains(reason), "\(sentence)")
    }

    @Test func eventsAreSortedAndALastLineThatWasCutShortIsLeftOut() throws {
        let lines = [(9, "end"), (4, "plan"), (4, "removal"), (1, "plan")].map { "{\"event\":\"\($1)\",\"frame\":\($0)}\n" }
        let events = try read(lines.joined() + "{\"event\":\"pl")
        #expect(events.map(\.event) == [.plan, .removal, .plan, .end] && events.map(\.frame) == [1, 4, 4, 9])
        // Lines that lie across the pieces in which a file is read.
        let many = (0..<20_000).map { "{\"event\":\"plan\",\"frame\":\($0)}\n" }.joined()
        #expect(try read(many).map(\.frame) == Array(0..<20_000))
    }

    @Test func moreEventsThanTheLimitAreRefused() throws {
        let lines = String(repeating: "{\"event\":\"plan\",\"frame\":3}\n", count: 4)
        #expect(try read(lines, limit: 4).count == 4)
        #expect(throws: FileDefect("it has more than 3 lines")) { try read(lines, limit: 3) }
    }

    private func read(_ text: String, limit: Int = CapturedEvent.mostEvents) throws -> [CapturedEvent] {
        try folder.make()
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.events))
        return try CapturedEvent.events(inFile: folder.events, atMost: limit)
    }
}
