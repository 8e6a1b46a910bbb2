// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A running session and its clients: settings, edits, scenes, undo, events, and clients that mean harm. Test thread.

import Foundation
import GraphDocuments
import HostingTestSupport
import JSON
import LinuxSystem
import PluginHosting
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(15))) struct ControlTests {
    private func code(_ body: () throws -> Void) -> ControlError.Code? {
        do { try body() } catch { return (error as? ControlError)?.code }
        return nil
    }

    @Test func aParameterIsSetByItsPathAndByTheNameOfItsValue() throws {
        let bench = try ControlBench([("Low cut.1", "Filter")])
        let client = try bench.client()
        let answer = try client.call("set", ["path": "Low cut.1.cutoff", "value": .number(500)])
        #expect(answer["value"] == .number(500) && answer["text"]?.text?.contains("500") == true)
        #expect(bench.session.graph.units[0].unit.value(of: "cutoff") == 500)
        #expect(try client.call("get", ["path": "Low cut.1.cutoff"])["value"] == .number(500))
        #expect(code { _ = try client.call("set", ["path": "Low cut.1.cutof", "value": .number(1)]) } == .notFound)
        #expect(code { _ = try client.call("set", ["path": "Low cut.1.cutoff", "value": .number(1e9)]) } == .refused)
        #expect(code { _ = try client.call("set", ["path": "Nobody.cutoff", "value": .number(1)]) } == .notFound)
        #expect(code { _ = try client.call("set", ["path": "Low cut.1.cutoff", "value": "loud"]) } == .refused)
    }

    @Test func aKeyThatNoRequestHasIsNamed() throws {
        let line = #"{"id": 7, "method": "status", "parms": {}}"#
        let defect = #expect(throws: ControlRequest.Defect.self) { try ControlRequest(line: Array(line.utf8)) }
        #expect(defect?.id == .number(7) && defect?.error.code == .malformed)
        #expect(
            defect?.error.message == "A request has no key \"parms\". Its keys are \"id\", \"method\" and \"params\".")
        // The control.
        _ = try ControlRequest(line: Array(#"{"id": 7, "method": "status", "params": {}}"#.utf8))
    }

    @Test func levelsOfNodesAndOfAllAreSet() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("set", ["path": "main.volume", "value": .number(0.5)])
        _ = try client.call("set", ["path": "player.volume", "value": .number(0.25)])
        #expect(bench.session.graph.captured.mainVolume == 0.5)
        #expect(try client.call("get", ["path": "player.volume"])["value"] == .number(0.25))
        #expect(code { _ = try client.call("set", ["path": "main.pan", "value": .number(0)]) } == .notFound)
        #expect(code { _ = try client.call("set", ["path": "main.volume", "value": .number(-1)]) } == .refused)
    }

    @Test func effectsAreAddedMovedAndRemovedAndAllOfItIsUndone() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let process = bench.session.graph.units[1].unit.processIdentifier
        #expect(try client.call("add", ["plugin": "Delay", "before": "Reverb"])["id"] == "Delay")
        #expect(try client.call("add", ["plugin": "delay", "after": "Reverb"])["id"] == "Delay 2")
        _ = try client.call("move", ["node": "Gain", "after": "Reverb"])
        _ = try client.call("remove", ["node": "Delay 2"])
        let flow = Set(bench.session.graph.document.connections.map { "\($0)" })
        #expect(flow == ["player → Delay", "Delay → Reverb", "Reverb → Gain", "Gain → main"])
        for _ in 0..<4 { _ = try client.call("undo") }
        #expect(bench.session.graph.document.nodes.map(\.id) == ["player", "Gain", "Reverb"])
        #expect(code { _ = try client.call("undo") } == .nothingToDo)
        for _ in 0..<4 { _ = try client.call("redo") }
        #expect(code { _ = try client.call("redo") } == .nothingToDo)
        #expect(Set(bench.session.graph.document.connections.map { "\($0)" }) == flow)
        // What was there all the time is the same process.
        #expect(bench.session.graph.units.first { $0.name == "Reverb" }?.unit.processIdentifier == process)
    }

    @Test func aRowOfSettingsOfOneParameterIsOneEdit() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let before = bench.session.graph.units[0].unit.value(of: "gain")
        for gain in 1...20 { _ = try client.call("set", ["path": "Gain.gain", "value": .number(-Double(gain))]) }
        _ = try client.call("set", ["path": "Reverb.mix", "value": .number(70)])
        #expect(try client.call("undo")["undid"] == "set Reverb.mix")
        #expect(bench.session.graph.units[0].unit.value(of: "gain") == -20)
        _ = try client.call("undo")
        #expect(bench.session.graph.units[0].unit.value(of: "gain") == before)
        _ = try client.call("redo")
        #expect(bench.session.graph.units[0].unit.value(of: "gain") == -20)
    }

    @Test func aKnobThatIsTurnedWhileEffectsComeAndGoKeepsItsPlace() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let address = try bench.address
        let editing = try LinuxSystem.Thread(name: "edits") {
            guard let editor = try? ControlClient(address) else { return }
            for _ in 0..<6 {
                _ = try? editor.call("add", ["plugin": "Delay", "id": "Echo"])
                _ = try? editor.call("set", ["path": "Echo.volume", "value": .number(0.5)])
                _ = try? editor.call("remove", ["node": "Echo"])
            }
        }
        var isInPlace = true
        for step in 0..<600 {
            let value = -Double(step % 60)
            _ = try client.call("set", ["path": "Gain.gain", "value": .number(value)])
            usleep(1000)
            isInPlace = try isInPlace && client.call("get", ["path": "Gain.gain"])["value"] == .number(value)
        }
        editing.join()
        #expect(isInPlace && bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
    }

    @Test func scenesAreKeptAndGoneTo() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("set", ["path": "Gain.gain", "value": .number(-12)])
        _ = try client.call("saveScene", ["name": "Verse"])
        _ = try client.call("remove", ["node": "Reverb"])
        _ = try client.call("set", ["path": "Gain.gain", "value": .number(-1)])
        _ = try client.call("saveScene", ["name": "Chorus"])
        _ = try client.call("scene", ["name": "Verse"])
        #expect(bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
        #expect(try client.call("get", ["path": "Gain.gain"])["value"] == .number(-12))
        // By its number.
        _ = try client.call("scene", ["name": "2"])
        #expect(bench.session.graph.units.map(\.name) == ["Gain"])
        #expect(code { _ = try client.call("scene", ["name": "Bridge"]) } == .notFound)
        let scenes = try client.call("scenes")
        #expect(scenes["scene"] == "Chorus" && scenes["scenes"] == .list(["Verse", "Chorus"]))
    }

    @Test func aPedalGoesBetweenTwoScenesOfOneShape() throws {
        let bench = try ControlBench([("Gain", "Gain"), ("Low", "Filter")])
        let client = try bench.client()
        func set(_ gain: Double, _ cutoff: Double) throws {
            _ = try client.call("set", ["path": "Gain.gain", "value": .number(gain)])
            _ = try client.call("set", ["path": "Low.cutoff", "value": .number(cutoff)])
        }
        try set(-20, 100)
        _ = try client.call("saveScene", ["name": "dark"])
        try set(0, 10_000)
        _ = try client.call("saveScene", ["name": "bright"])
        #expect(code { _ = try client.call("set", ["path": "morph.amount", "value": .number(0.5)]) } == .notFound)
        #expect(try client.call("morph", ["from": "dark", "to": "bright"])["parameters"] == .number(2))
        _ = try client.call("set", ["path": "morph.amount", "value": .number(0.5)])
        // Half of the way: in decibels, and on the logarithmic scale of a frequency.
        let (gain, cutoff) = (try client.call("get", ["path": "Gain.gain"]), try client.call("get", ["path": "Low.cutoff"]))
        #expect(abs((gain["value"]?.number ?? 0) + 10) < 1e-9 && abs((cutoff["value"]?.number ?? 0) - 1000) < 1e-6)
        _ = try client.call("set", ["path": "morph.amount", "value": .number(0)])
        #expect(try client.call("get", ["path": "Gain.gain"])["value"] == .number(-20))
        #expect(code { _ = try client.call("set", ["path": "morph.amount", "value": .number(2)]) } == .refused)
        _ = try client.call("remove", ["node": "Low"])
        #expect(code { _ = try client.call("morph", ["from": "dark", "to": "bright"]) } == .refused)
    }

    @Test func aSessionIsTheSameFromItsFile() throws {
        let folder = ScratchFolder()
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "Verse"])
        _ = try client.call("set", ["path": "Gain.gain", "value": .number(-7)])
        let file = bench.session.file
        try file.keep(at: folder.file("session.json"))
        let read = try SessionFile(contentsOfFile: folder.file("session.json"))
        #expect(read.graph == file.graph && read.scenes == file.scenes && read.scene == "Verse" && read.isOwn)
        // A changed file is no longer its host's.
        let text = try String(contentsOfFile: folder.file("session.json"), encoding: .utf8)
        try text.replacingOccurrences(of: "\"Verse\"", with: "\"Curse\"").write(
            toFile: folder.file("changed.json"), atomically: true, encoding: .utf8)
        #expect(try !SessionFile(contentsOfFile: folder.file("changed.json")).isOwn)
    }

    /// A scene that came from elsewhere does not get rights by being kept beside units that have theirs.
    @Test func aSessionIsSealedOnlyIfTheUserHasGivenWhatItsUnitsMayAskFor() throws {
        let folder = ScratchFolder()
        let bench = try ControlBench()
        func isOwn(_ unit: SavedUnit?) throws -> Bool {
            bench.session.state.withLock { state in
                state.scenes =
                    unit.map {
                        let graph = GraphDocument(nodes: [.init(id: "foreign", .unit(.init($0)))], connections: [])
                        return [SessionScene(name: "foreign", graph: graph)]
                    } ?? []
            }
            let complaint = try bench.session.keep(at: folder.file("session.json"))
            let isOwn = try SessionFile(contentsOfFile: folder.file("session.json")).isOwn
            #expect(isOwn ? complaint == nil : complaint?.contains("without your seal") == true)
            return isOwn
        }
        #expect(try isOwn(nil))
        var unit = SavedUnit(id: "aufx:gain:blkh")
        #expect(try isOwn(unit))
        unit.texts = ["note": "a word"]
        #expect(try isOwn(unit))
        for isolation in [IsolationPolicy.inProcess, .together, .byManufacturer] {
            var sharing = unit
            sharing.isolation = isolation
            #expect(try !isOwn(sharing), "\(isolation)")
        }
        unit.texts = ["file": "/etc/hostname"]
        #expect(try !isOwn(unit))
        // The user has started one like it.
        bench.session.grant([(unit, nil)])
        #expect(try isOwn(unit))
    }

    @Test func thoseWhoWatchAreTold() throws {
        let bench = try ControlBench()
        let (client, other) = (try bench.client(), try bench.client())
        _ = try client.call("watch", ["topics": .list(["parameters", "edits", "faults", "meters"]), "interval": .number(0.01)])
        bench.session.tick(peaks: (0.5, 0.25))
        #expect(try client.nextEvent()["data"]?["peaks"] == .list([.number(0.5), .number(0.25)]))
        _ = try other.call("set", ["path": "Gain.gain", "value": .number(-3)])
        bench.session.tick(peaks: (0, 0))
        var event = try client.nextEvent()
        while event["event"] == "meters" { event = try client.nextEvent() }
        #expect(event["event"] == "parameters" && event["data"]?["path"] == "Gain.gain" && event["data"]?["value"] == .number(-3))
        _ = try other.call("remove", ["node": "Reverb"])
        event = try client.nextEvent()
        #expect(event["event"] == "edits" && event["data"]?["title"] == "remove Reverb")
        let process = try #require(bench.session.graph.units[0].unit.processIdentifier)
        kill(process, SIGKILL)
        #expect(bench.session.graph.units[0].unit.awaitFault())
        bench.session.tick(peaks: (0, 0))
        event = try client.nextEvent()
        while event["event"] == "meters" { event = try client.nextEvent() }
        #expect(event["event"] == "faults" && event["data"]?["node"] == "Gain")
        #expect(code { _ = try client.call("watch", ["topics": .list(["weather"])]) } == .notFound)
    }

    @Test func twentyClientsAtOnceAreAllAnswered() throws {
        let bench = try ControlBench()
        let address = try bench.address
        let answered = Thread.map(Array(1...20), name: "client") { number -> Int in
            guard let client = try? ControlClient(address) else { return 0 }
            return (1...100).count { round in
                let value = -Double(number) - Double(round) / 1000
                let set = try? client.call("set", ["path": "Gain.gain", "value": .number(value)])
                let status = try? client.call(round % 10 == 0 ? "status" : "get", round % 10 == 0 ? [:] : ["path": "Gain.gain"])
                return set?["value"] == .number(value) && status != nil
            }
        }
        #expect(answered == Array(repeating: 100, count: 20))
    }

    // A million lines by `make deep`.
    @Test func nonsenseIsRefusedLineByLine() throws {
        let bench = try ControlBench()
        let socket = try bench.raw()
        defer { close(socket) }
        var lines = NonsenseLines(count: ProcessInfo.processInfo.environment["BULKHEAD_DEEP"] == nil ? 5000 : 1_000_000)
        var (bytes, answered, last) = ([UInt8](), 0, [UInt8]())
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var deadline = Date().addingTimeInterval(Patience.seconds())
        while !String(decoding: last, as: UTF8.self).contains("\"id\":\"last\""), Date() < deadline {
            if bytes.isEmpty { bytes = lines.next() }
            if !bytes.isEmpty {
                let sent = bytes.withUnsafeBytes { SystemCall.send($0, to: socket) }
                if sent > 0 { bytes.removeFirst(sent) }
            }
            let count = piece.withUnsafeMutableBytes { SystemCall.receive(from: socket, into: $0) }
            guard count > 0 else { continue }
            deadline = Date().addingTimeInterval(Patience.seconds())
            answered += piece[..<count].count { $0 == 0x0A }
            last = Array((last + piece[..<count]).suffix(4096))
        }
        #expect(String(decoding: last, as: UTF8.self).contains("\"id\":\"last\""))
        #expect(answered > lines.count / 2)
        #expect(try bench.client().call("status")["host"] != nil)
        #expect(bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
    }

    @Test func aChangeBetweenTheWishAndTheFirstLookIsTold() throws {
        let bench = try ControlBench()
        let watcher = try bench.client()
        _ = try watcher.call("watch", ["topics": .list(["parameters"])])
        _ = try bench.client().call("set", ["path": "Reverb.mix", "value": .number(77)])
        bench.session.tick(peaks: (0, 0))
        let event = try watcher.event()
        #expect(event?["data"]?["path"] == "Reverb.mix" && event?["data"]?["value"] == .number(77))
    }

    @Test func aWatcherThatDoesNotReadIsDropped() throws {
        let bench = try ControlBench()
        let socket = try bench.raw()
        defer { close(socket) }
        let request = Array("{\"id\":1,\"method\":\"watch\",\"params\":{\"topics\":[\"edits\"]}}\n".utf8)
        #expect(request.withUnsafeBytes { SystemCall.send($0, to: socket) } == request.count)
        let server = try #require(bench.session.server)
        let deadline = Date().addingTimeInterval(Patience.seconds())
        while !server.isWatched([.edits]), Date() < deadline { usleep(1000) }
        #expect(server.isWatched([.edits]))
        let title = String(repeating: "x", count: 1 << 16)
        for _ in 0..<100 { bench.session.tell(title) }
        while server.isWatched([.edits]), Date() < deadline { usleep(1000) }
        #expect(!server.isWatched([.edits]))
        #expect(try bench.client().call("status")["host"] != nil)
    }

    @Test func aClientThatDoesNotReadStallsItselfAlone() throws {
        let bench = try ControlBench()
        let socket = try bench.raw()
        defer { close(socket) }
        let request = Array("{\"id\":1,\"method\":\"methods\"}\n".utf8)
        var isStalled = false
        let deadline = Date().addingTimeInterval(Patience.seconds())
        while !isStalled, Date() < deadline {
            // The socket stays full: nothing is read from it any more.
            isStalled = (0..<200).allSatisfy { _ in
                let sent = request.withUnsafeBytes { SystemCall.send($0, to: socket) }
                if sent < 0 { usleep(2000) }
                return sent < 0 && errno == EAGAIN
            }
        }
        #expect(isStalled)
        #expect(try bench.client().call("status")["host"] != nil)
    }

    @Test func aLineWithoutEndIsRefused() throws {
        let bench = try ControlBench()
        let socket = try bench.raw()
        defer { close(socket) }
        let piece = [UInt8](repeating: 0x61, count: 65_536)
        var isDropped = false
        for _ in 0..<64 where !isDropped {
            isDropped = piece.withUnsafeBytes { SystemCall.send($0, to: socket, isBlocking: true) } < 0
        }
        #expect(isDropped)
        #expect(try bench.client().call("status")["host"] != nil)
    }

    @Test func fieldsAreCheckedByTheTable() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        #expect(code { _ = try client.call("sett") } == .unknownMethod)
        #expect(code { _ = try client.call("set", ["path": "Gain.gain"]) } == .badField)
        #expect(code { _ = try client.call("set", ["path": .number(1), "value": .number(1)]) } == .badField)
        #expect(code { _ = try client.call("status", ["colour": "red"]) } == .badField)
        let methods = try client.call("methods").list ?? []
        #expect(methods.count == ControlMethod.all.count)
        // Each method of the table is carried out, whatever it answers.
        for method in ControlMethod.all where method.name != "stop" {
            let fields = method.fields.filter(\.isRequired).map { ($0.name, JSONValue.sample($0.kind)) }
            #expect(code { _ = try client.call(method.name, Dictionary(uniqueKeysWithValues: fields)) } != .unknownMethod)
        }
    }

    @Test func aSecondHostOfOneNameGetsANumber() throws {
        let (first, second) = (try ControlBench(), try ControlBench())
        #expect(second.session.name == "\(first.session.name)-2")
        let running = try ControlAddress.running().map(\.name)
        #expect(running.contains(first.session.name) && running.contains(second.session.name))
    }

    @Test func theHostIsToldToStop() throws {
        let bench = try ControlBench()
        _ = try bench.client().call("stop")
        #expect(bench.session.isStopped)
    }
}

extension JSONValue {
    fileprivate static func sample(_ kind: ControlMethod.Field.Kind) -> JSONValue {
        switch kind {
        case .text: "nothing"
        case .number: .number(0)
        case .flag: true
        case .value: .number(0)
        case .texts: .list([])
        case .object: .object([:])
        }
    }
}

extension PluginUnit {
    /// Waits until something went wrong; false after ten seconds.
    fileprivate func awaitFault() -> Bool {
        let deadline = Date().addingTimeInterval(Patience.seconds())
        while faults.isEmpty, Date() < deadline { usleep(5000) }
        return !faults.isEmpty
    }
}
