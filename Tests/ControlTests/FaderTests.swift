// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values of a running host: a fader that moves compiles no plan, copies no document, and can be taken back. Test thread.

import AudioGraph
import HostingTestSupport
import OpenSoundControl
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import Control
@testable import GraphDocuments

@Suite(.serialized, .timeLimit(.minutes(3))) struct FaderTests {
    private static let step = 0.0005

    /// Does something, and returns how many plans were compiled and documents copied meanwhile.
    private func counting(_ bench: ControlBench, _ body: () throws -> Void) throws -> (plans: UInt64, documents: Int) {
        let (player, graph) = (try #require(bench.engine.player), bench.session.graph)
        let (plans, documents) = (player.planCount, graph.captureCount.load(ordering: .relaxed))
        try body()
        return (player.planCount - plans, graph.captureCount.load(ordering: .relaxed) - documents)
    }

    @Test(arguments: ["main.volume", "player.volume", "Reverb.volume", "Reverb.pan"])
    func aThousandMovesOfAFaderCompileNoPlanAndCopyNoDocument(path: String) throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let before = try #require(client.call("get", ["path": .text(path)])["value"])
        let counts = try counting(bench) {
            for move in 1...1000 {
                _ = try client.call("set", ["path": .text(path), "value": .number(Double(move) * Self.step)])
            }
        }
        #expect(counts == (0, 0))
        #expect(try client.call("get", ["path": .text(path)])["value"] == .number(0.5))
        // One row of moves is one step, and taking it back is a move.
        let undone = try counting(bench) {
            let answer = try client.call("undo")
            #expect(answer["undid"] == .text("set \(path)"))
        }
        #expect(undone == (0, 0))
        #expect(try client.call("get", ["path": .text(path)])["value"] == before)
        _ = try client.call("redo")
        #expect(try client.call("get", ["path": .text(path)])["value"] == .number(0.5))
    }

    @Test func controllersAndPacketsMoveAFaderWithoutAPlanToo() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let sockets = try OSCSockets(port: 0)
        try bench.session.serveOSC(at: sockets)
        let sender = try OSCSender(to: sockets.port)
        _ = try client.call("map", ["source": "cc:1:7", "path": "main.volume", "pickUp": false])
        let main = GraphValue("main", .volume)
        let counts = try counting(bench) {
            for move in 0...100 { bench.engine.midiInput.send([0xB0, 7, UInt8(move)]) }
            #expect(becomes { bench.session.graph.value(of: main) == 100.0 / 127 })
            for move in 1...100 { sender.send("/main/volume", .float(Float(move) / 128)) }
            #expect(becomes { bench.session.graph.value(of: main) == 100.0 / 128 })
        }
        #expect(counts == (0, 0))
        #expect(try client.call("undo")["undid"] == "set main.volume")
        #expect(bench.session.graph.value(of: main) == 100.0 / 127)
        #expect(try client.call("undo")["undid"] == "set main.volume by MIDI")
        #expect(bench.session.graph.value(of: main) == 1)
    }

    @Test func whatIsSetIsInTheSessionAndTheScene() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let change = bench.session.change
        _ = try client.call("set", ["path": "main.volume", "value": .number(0.25)])
        #expect(bench.session.change != change)
        _ = try client.call("set", ["path": "Reverb.pan", "value": .number(-0.5)])
        #expect(bench.session.file.graph.mainVolume == 0.25)
        #expect(try client.call("graph")["mainVolume"] == .number(0.25))
        _ = try client.call("saveScene", ["name": "soft"])
        _ = try client.call("set", ["path": "main.volume", "value": .number(1)])
        _ = try client.call("scene", ["name": "soft"])
        #expect(try client.call("get", ["path": "main.volume"])["value"] == .number(0.25))
        #expect(try client.call("get", ["path": "Reverb.pan"])["value"] == .number(-0.5))
    }

    /// A pedal hears no errors; those who watch the host do.
    @Test func aSceneThatAPedalCannotGoToIsSaid() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("saveScene", ["name": "gone"])
        bench.session.state.withLock { state in
            for index in state.scenes[0].graph.nodes.indices {
                guard case .unit(let unit) = state.scenes[0].graph.nodes[index].kind else { continue }
                var saved = unit.saved
                saved.id = "aufx:none:none"
                state.scenes[0].graph.nodes[index].kind = .unit(GraphDocument.Unit(saved))
            }
        }
        bench.session.move([MappedMove(path: "scene gone", number: 1)])
        #expect(Patience.until(within: 60) { bench.session.state.withLock { !$0.messages.isEmpty } })
        let said = try client.call("messages").list?.compactMap(\.text) ?? []
        #expect(said.first?.hasPrefix("Couldn't go to the scene \"gone\": ") == true, "\(said)")
        #expect(bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
    }

    @Test func anEditLeavesWhatWasSetMeanwhileAndUndoOfItTakesOldValuesBack() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("set", ["path": "main.volume", "value": .number(0.5)])
        _ = try client.call("add", ["plugin": "Gain", "id": "late"])
        #expect(try client.call("get", ["path": "main.volume"])["value"] == .number(0.5))
        _ = try client.call("set", ["path": "late.volume", "value": .number(0.125)])
        _ = try client.call("undo")
        _ = try client.call("undo")
        #expect(bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
        #expect(try client.call("get", ["path": "main.volume"])["value"] == .number(0.5))
        _ = try client.call("undo")
        #expect(try client.call("get", ["path": "main.volume"])["value"] == .number(1))
        for _ in 0..<3 { _ = try client.call("redo") }
        #expect(try client.call("get", ["path": "late.volume"])["value"] == .number(0.125))
    }

    @Test func aConnectionWithALevelOfItsOwnKeepsItWhileItsNodeMoves() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("connect", ["from": "player", "to": "main", "volume": .number(0.3), "pan": .number(0.2)])
        _ = try client.call("add", ["plugin": "mixer", "id": "bus", "alone": true])
        _ = try client.call("connect", ["from": "Reverb", "to": "bus", "pan": .number(0.75)])
        func level(_ from: String, _ to: String) throws -> (volume: Float, pan: Float) {
            let nodes = bench.session.graph.nodes
            let mixer = try #require(to == "main" ? bench.session.graph.ends.main : nodes[to])
            let source = try #require(nodes[from] as? any AudioMixing)
            let level = try #require((0..<8).lazy.compactMap { source.destination(forMixer: mixer, bus: $0) }.first)
            return (level.volume, level.pan)
        }
        _ = try client.call("set", ["path": "Reverb.volume", "value": .number(0.5)])
        _ = try client.call("set", ["path": "Reverb.pan", "value": .number(-1)])
        #expect(try level("player", "main") == (0.3, 0.2))
        #expect(try level("Reverb", "main") == (0.5, -1))
        #expect(try level("Reverb", "bus") == (0.5, 0.75))
        // Without its own level it follows the node again, also while it still fades out.
        _ = try client.call("disconnect", ["from": "Reverb", "to": "bus"])
        _ = try client.call("connect", ["from": "Reverb", "to": "bus"])
        #expect(try level("Reverb", "bus") == (0.5, -1))
    }

    @Test func aSourceAndAListenerMoveInSpace() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        var document = bench.session.graph.captured
        document.nodes.append(.init(id: "room", .environment(.init())))
        document.nodes[document.nodes.firstIndex { $0.id == "Reverb" } ?? 0].position = .init(x: 1, y: 0, z: -2)
        document.connections.removeAll { $0.from.node == "Reverb" }
        document.connections += [.init(from: .init("Reverb"), to: .init("room")), .init(from: .init("room"), to: .init("main"))]
        _ = try client.call("replace", ["graph": bench.session.json(of: document)])
        let nodes = bench.session.graph.nodes
        let (source, room) = (
            try #require(nodes["Reverb"] as? any AudioMixing), try #require(nodes["room"] as? AudioEnvironmentNode)
        )
        #expect(source.position == Audio3DPoint(x: 1, y: 0, z: -2))
        let counts = try counting(bench) {
            _ = try client.call("set", ["path": "Reverb.position.x", "value": .number(-3)])
            _ = try client.call("set", ["path": "room.yaw", "value": .number(90)])
            _ = try client.call("set", ["path": "room.listener.z", "value": .number(4)])
        }
        #expect(counts == (0, 0))
        #expect(source.position == Audio3DPoint(x: -3, y: 0, z: -2))
        #expect(room.listenerPosition == Audio3DPoint(x: 0, y: 0, z: 4) && room.listenerAngularOrientation.yaw == 90)
        #expect(bench.session.graph.captured.nodes.first { $0.id == "Reverb" }?.position?.x == -3)
        for _ in 0..<3 { _ = try client.call("undo") }
        #expect(source.position.x == 1 && room.listenerAngularOrientation.yaw == 0)
        #expect(throws: ControlError.self) { try client.call("set", ["path": "Gain.position.x", "value": .number(1)]) }
    }

    @Test func aLevelThatNothingHeedsIsRefused() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let error = #expect(throws: ControlError.self) {
            _ = try client.call("set", ["path": "Gain.volume", "value": .number(0.5)])
        }
        #expect(error?.code == .refused && error?.message.contains("leads to no mixer") == true)
        #expect(try client.call("get", ["path": "Gain.volume"])["value"] == .number(1))
    }

    @Test func watchersAreToldOfAFaderOnceARound() throws {
        let bench = try ControlBench()
        let (watcher, client) = (try bench.client(), try bench.client())
        _ = try watcher.call("watch", ["topics": .list(["parameters", "edits"])])
        bench.session.tick(peaks: (0, 0))
        for move in 1...100 { _ = try client.call("set", ["path": "main.volume", "value": .number(Double(move) / 200)]) }
        bench.session.tick(peaks: (0, 0))
        bench.session.tick(peaks: (0, 0))
        _ = try client.call("saveScene", ["name": "end"])
        let event = try watcher.nextEvent()
        #expect(
            event["event"] == "parameters" && event["data"]?["path"] == "main.volume" && event["data"]?["value"] == .number(0.5))
        #expect(try watcher.nextEvent()["event"] == "edits")
    }
}
