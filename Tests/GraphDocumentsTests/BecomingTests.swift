// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Graphs that become others while they play, and that take turns: what stays sounds on, nothing steps. Test thread.

import AudioGraph
import Foundation
import GraphDocuments
import HostingTestSupport
import PluginHosting
import Realtime
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct BecomingTests {
    private static let registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])

    /// An engine that hears a sine of 200 Hz at 0.25, whose samples never differ by more than `step`.
    private func engine() throws -> AudioEngine {
        let engine = try AudioEngine.offline()
        let phase = Phase()
        engine.inputNode.setManualRenderingInputPCMFormat(Sounds.format(2)) { block in
            phase.fill(block)
            return true
        }
        return engine
    }

    private final class Phase: @unchecked Sendable {
        // SAFETY: the thread that renders is the only one that asks for input.
        var frame = 0
        func fill(_ block: AudioBlock) {
            for offset in 0..<block.frameCount {
                let value = Float(0.25 * sin(2 * Double.pi * 200 * Double(frame + offset) / 48_000))
                for channel in 0..<2 { block[channel][offset] = value }
            }
            frame += block.frameCount
        }
    }

    private static let step: Float = 0.25 * 2 * Float.pi * 200 / 48_000 * 1.02

    private func chain(_ units: (id: String, plugin: String, parameters: [String: Double])...) -> GraphDocument {
        var nodes = [GraphDocument.Node(id: "input", .input)]
        for unit in units { nodes.append(.init(id: unit.id, .unit(.init(unit.plugin, parameters: unit.parameters)))) }
        let ids = nodes.map(\.id) + ["main"]
        return GraphDocument(nodes: nodes, connections: zip(ids, ids.dropFirst()).map { .init(from: .init($0), to: .init($1)) })
    }

    private func build(_ document: GraphDocument, _ engine: AudioEngine) throws -> BuiltGraph {
        try document.build(into: engine, from: Self.registry, allowing: Allowances(), name: "test", at: .scene("test"))
    }

    private func largestStep(_ samples: [Float]) -> Float { zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0 }

    @Test func aUnitThatStaysKeepsItsProcessAndItsSound() throws {
        let engine = try engine()
        let graph = try build(chain(("one", "Gain", ["gain": -6])), engine)
        graph.play()
        try engine.start()
        _ = try engine.render(4800)
        let process = graph.units[0].unit.processIdentifier
        var next = chain(("one", "Gain", ["gain": -6]), ("two", "Gain", ["gain": 0]))
        next.mainVolume = 1
        try graph.become(next, from: Self.registry, allowing: Allowances(), name: "test")
        let heard = try engine.render(9600)
        #expect(graph.units.map(\.name) == ["one", "two"] && graph.units[0].unit.processIdentifier == process)
        #expect(largestStep(heard[0]) < Self.step)
        let peak = heard[0][4800...].map(abs).max() ?? 0
        #expect(abs(peak - 0.1253) < 1e-3)
    }

    @Test func settingsOfAUnitThatStaysAreTakenAndTakenBack() throws {
        let engine = try engine()
        let graph = try build(chain(("one", "Gain", ["gain": -6])), engine)
        try engine.start()
        let former = graph.captured
        try graph.become(chain(("one", "Gain", ["gain": -20])), from: Self.registry, allowing: Allowances(), name: "test")
        #expect(graph.units[0].unit.value(of: "gain") == -20)
        #expect(throws: GraphDocumentError.self) {
            try graph.become(chain(("one", "Gain", ["gain": 500])), from: Self.registry, allowing: Allowances(), name: "test")
        }
        #expect(graph.units[0].unit.value(of: "gain") == -20)
        try graph.become(former, from: Self.registry, allowing: Allowances(), name: "test")
        #expect(graph.units[0].unit.value(of: "gain") == -6 && graph.captured == former)
    }

    @Test func aGraphThatCannotBeMadeLeavesTheOneThatPlays() throws {
        let engine = try engine()
        let graph = try build(chain(("one", "Gain", ["gain": -6])), engine)
        try engine.start()
        let before = graph.document
        #expect(throws: GraphDocumentError.self) {
            try graph.become(chain(("x", "Nonsense", [:])), from: Self.registry, allowing: Allowances(), name: "test")
        }
        let heard = try engine.render(4800)
        let peak = heard[0].map(abs).max() ?? 0
        #expect(graph.document == before && graph.units.count == 1 && peak > 0.1)
    }

    @Test func aHundredScenesTakeTurnsWithoutAGapOrAStep() throws {
        let engine = try engine()
        let scenes = [
            chain(("a", "Gain", ["gain": -1]), ("b", "Equalizer", [:])), chain(("a", "Gain", ["gain": -2]), ("c", "Filter", [:])),
        ]
        var graph = try build(scenes[0], engine)
        graph.play()
        try engine.start()
        var heard = try engine.render(4800)[0]
        var former: [BuiltGraph] = []
        for number in 1...100 {
            let (next, _) = try graph.handOver(
                to: scenes[number % 2], from: Self.registry, allowing: Allowances(), name: "scene \(number)")
            former.append(graph)
            graph = next
            heard += try engine.render(2400)[0]
            if former.count > 1 { try former.removeFirst().remove() }
        }
        #expect(largestStep(Array(heard[4800...])) < Self.step)
        // A sine of 200 Hz has a peak every 120 frames: no 240 frames are quiet.
        let peaks = stride(from: 4800, to: heard.count - 240, by: 120).map { start -> Float in
            heard[start..<start + 240].map(abs).max() ?? 0
        }
        let quietest = peaks.min()
        #expect(quietest ?? 0 > 0.175)
        #expect(graph.units.count == 2)
    }

    @Test func aSceneTakesOverWithoutAUnitThatIsNotToBeStarted() throws {
        let engine = try engine()
        let former = try build(chain(("one", "Gain", ["gain": 0])), engine)
        former.play()
        try engine.start()
        _ = try engine.render(4800)
        let next = chain(("one", "Gain", ["gain": -6]), ("two", "Gain", ["gain": -60]))
        let (graph, _) = try former.handOver(
            to: next, from: Self.registry, allowing: Allowances(), name: "next", without: ["two"])
        #expect(graph.units.map(\.name) == ["one"] && graph.document == next)
        // Its input is passed on.
        let peak = try engine.render(9600)[0][4800...].map(abs).max() ?? 0
        #expect(abs(peak - 0.1253) < 1e-3)
    }

    @Test func aFormerSceneRingsOut() throws {
        let engine = try engine()
        let echo = chain(("echo", "Delay", ["time": 0.2, "feedback": 0, "mix": 100]))
        var graph = try build(echo, engine)
        graph.play()
        try engine.start()
        _ = try engine.render(24_000)
        let former = graph
        (graph, _) = try former.handOver(
            to: chain(("one", "Gain", ["gain": -60])), from: Self.registry, allowing: Allowances(), name: "quiet")
        // The echo of what was played before is heard for 0.2 s, and then nothing of it.
        let heard = try engine.render(24_000)[0]
        let (echoed, after) = (heard[4800..<9000].map(abs).max() ?? 0, heard[14_400...].map(abs).max() ?? 1)
        #expect(echoed > 0.2)
        #expect(after < 0.001)
        try former.remove()
        let rest = try engine.render(4800)[0]
        #expect((rest.map(abs).max() ?? 1) < 0.001)
    }

    /// The level at which a graph hears its input.
    private func inputLevel(_ graph: BuiltGraph) throws -> AudioMixingDestination {
        try #require(graph.loggedLevels.first { $0.name == "input:0 main:0" }?.level as? AudioMixingDestination)
    }

    @Test func eachSceneHearsTheInputAtALevelOfItsOwn() throws {
        let engine = try engine()
        var (soft, plain) = (chain(), chain())
        (soft.nodes[0].volume, soft.nodes[0].pan) = (0.5, -0.25)
        let first = try build(soft, engine)
        try engine.start()
        _ = try engine.render(4800)
        let former = try inputLevel(first)
        #expect(former.volume == 0.5 && former.pan == -0.25)
        try first.set(0.25, of: GraphValue("input", .volume))
        // The next scene says nothing of the level, and the one after it does.
        let (second, _) = try first.handOver(to: plain, from: Self.registry, allowing: Allowances(), name: "plain")
        let next = try inputLevel(second)
        #expect(former.volume == 0.25 && former.pan == -0.25)
        #expect(next.volume == 1 && next.pan == 0)
        try second.set(0.75, of: GraphValue("input", .volume))
        #expect(former.volume == 0.25 && next.volume == 0.75)
        plain.nodes[0].volume = 2
        let (third, _) = try second.handOver(to: plain, from: Self.registry, allowing: Allowances(), name: "loud")
        try second.set(0.125, of: GraphValue("input", .pan))
        #expect(former.volume == 0.25 && next.volume == 0.75 && next.pan == 0.125)
        #expect(try inputLevel(third).volume == 2 && inputLevel(third).pan == 0)
        _ = try engine.render(9600)
        let peak = try engine.render(4800)[0].map(abs).max() ?? 0
        #expect(abs(peak - 0.5) < 0.001)
    }

    @Test func eachSceneHasAPlaceOfItsOwnForTheInput() throws {
        let engine = try engine()
        var placed = GraphDocument(
            nodes: [.init(id: "input", .input), .init(id: "room", .environment(.init()))],
            connections: [.init(from: .init("input"), to: .init("room")), .init(from: .init("room"), to: .init("main"))])
        placed.nodes[0].position = .init(x: 1, y: 0, z: -2)
        let first = try build(placed, engine)
        func place(_ graph: BuiltGraph) throws -> AudioMixingDestination {
            try #require(graph.loggedLevels.first { $0.name == "input:0 room:0" }?.level as? AudioMixingDestination)
        }
        let former = try place(first)
        #expect(former.position == Audio3DPoint(x: 1, y: 0, z: -2) && former.sourceMode == .pointSource)
        placed.nodes[0].position = nil
        let (second, _) = try first.handOver(to: placed, from: Self.registry, allowing: Allowances(), name: "unplaced")
        #expect(former.sourceMode == .pointSource && former.position.x == 1)
        #expect(try place(second).sourceMode == .bypass)
        placed.nodes[0].position = .init(x: -3, y: 0, z: 0)
        let (third, _) = try second.handOver(to: placed, from: Self.registry, allowing: Allowances(), name: "left")
        try third.set(4, of: GraphValue("input", .z))
        #expect(try place(third).position == Audio3DPoint(x: -3, y: 0, z: 4) && former.position == Audio3DPoint(x: 1, y: 0, z: -2))
    }
}
