// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Thousands of edits, looks, failures and stops in random order: nothing is lost, and in the end the graph is what plays. Test thread.

import TestSupport
import Testing

@testable import AudioGraph

@Suite struct PlanWalkTests {
    /// The checks are in the bench: one departure at a time, and nothing is released or gets other resources that a plan holds.
    @Test(arguments: Sample.of([1, 2, 3, 4] as [UInt64], oneIn: 2)) func anyOrderOfEventsEndsWithTheGraphThatWasAskedFor(
        seed: UInt64
    ) throws {
        var walk = PlanWalk(seed: seed)
        for _ in 0..<25 {
            for _ in 0..<400 { try walk.step() }
            walk.bench.failingPlans = 0
            walk.bench.failingPreparations = 0
            if !walk.bench.isPlaying { try walk.bench.start() }
            walk.bench.settle()
            // A unit that got no resources after a departure gets them with the next edit.
            try walk.bench.edit { _ in }
            walk.bench.settle()
            #expect(walk.bench.isFinal(), "seed \(seed)")
            #expect(walk.bench.tickets.allSatisfy { $0.sampleTime != nil }, "seed \(seed)")
        }
        #expect(walk.counts.allSatisfy { $0.value > 20 }, "seed \(seed): \(walk.counts)")
    }
}

/// Random events, one after the other.
private struct PlanWalk {
    enum Move: CaseIterable {
        case connect, reconnect, disconnect, turnAround, attach, detach, attachAgain, change, render, look, latencies, failPlan
        case failPreparation, stop
    }

    let bench = ProgressBench()
    private(set) var counts = Dictionary(uniqueKeysWithValues: Move.allCases.map { ($0, 0) })
    private var random: SeededRandom
    private var nodes: [AudioMixerNode] = []
    private var former: [AudioMixerNode] = []
    private var gone: [GraphState.Link] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func step() throws {
        // Most of the time something is rendered and looked at.
        let move =
            Bool.random(using: &random)
            ? [.render, .look].randomElement(using: &random)! : Move.allCases.randomElement(using: &random)!
        do throws(AudioEngineError) {
            guard try make(move) else { return }
            counts[move, default: 0] += 1
        } catch {
            guard case .cycle(let names) = error else {
                #expect(error == .driver(reason: "no memory"))
                return
            }
            #expect(names == [NamedNode("injected")], "an edit was refused")
        }
    }

    /// Makes a move; false if there is nothing to make it with.
    private mutating func make(_ move: Move) throws(AudioEngineError) -> Bool {
        switch move {
        case .connect: return try connect()
        case .reconnect: return try reconnect()
        case .disconnect:
            guard let link = links.randomElement(using: &random) else { return false }
            gone.append(link)
            try bench.edit { $0.disconnectInput(link.destination, link.destinationBus) }
        case .turnAround: return try turnAround()
        case .attach:
            guard nodes.count < 8 else { return false }
            let node = bench.node()
            try bench.edit { $0.attach(node) }
            nodes.append(node)
        case .detach:
            guard let index = nodes.indices.randomElement(using: &random) else { return false }
            try bench.edit { [nodes] in $0.detach(nodes[index]) }
            former.append(nodes.remove(at: index))
        case .attachAgain:
            guard let node = former.last else { return false }
            try bench.edit { $0.attach(node) }
            nodes.append(former.removeLast())
        case .change:
            guard let node = nodes.randomElement(using: &random) else { return false }
            try bench.edit { [bench] _ in bench.wanted[node]! += 1 }
        case .render: bench.render()
        case .look: if let look = ProgressBench.Look.allCases.randomElement(using: &random) { bench.take(look) }
        case .latencies: bench.take(.latencies, latenciesHaveChanged: true)
        case .failPlan: bench.failingPlans = Int.random(in: 1...3, using: &random)
        case .failPreparation: bench.failingPreparations = 1
        case .stop: try stopOrStart()
        }
        return true
    }

    /// The connections of the graph, always in the same order.
    private var links: [GraphState.Link] {
        bench.graph.nodes.flatMap { node in
            (bench.graph[node]?.inputs ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func freeBus(of node: AudioNode) -> Int { ((bench.graph[node]?.inputs.keys.max() ?? -1) + 1) }

    private mutating func connect() throws(AudioEngineError) -> Bool {
        let ends = (nodes as [AudioNode]) + [bench.output, bench.output, bench.output]
        guard let source = nodes.randomElement(using: &random), let end = ends.randomElement(using: &random),
            bench.graph.path(from: end, to: source) == nil
        else { return false }
        let link = bench.link(source, end, bus: freeBus(of: end))
        try bench.edit { $0.connect(link) }
        return true
    }

    /// Makes a connection again that was there before, and may still fade out.
    private mutating func reconnect() throws(AudioEngineError) -> Bool {
        guard let link = gone.popLast(), bench.graph.contains(link.source), bench.graph.contains(link.destination),
            bench.graph[link.destination]?.inputs[link.destinationBus] == nil,
            bench.graph.path(from: link.destination, to: link.source) == nil
        else { return false }
        try bench.edit { $0.connect(link) }
        return true
    }

    /// Has a connection lead the other way, so that both would feed each other.
    private mutating func turnAround() throws(AudioEngineError) -> Bool {
        let inner = links.filter { $0.destination !== bench.output }
        guard let link = inner.randomElement(using: &random) else { return false }
        var graph = bench.graph
        graph.disconnectInput(link.destination, link.destinationBus)
        guard graph.path(from: link.source, to: link.destination) == nil else { return false }
        let back = bench.link(link.destination, link.source, bus: freeBus(of: link.source))
        let out = bench.link(link.source, bench.output, bus: freeBus(of: bench.output))
        try bench.edit { graph in
            graph.disconnectInput(link.destination, link.destinationBus)
            graph.connect(back)
            graph.connect(out)
        }
        return true
    }

    private mutating func stopOrStart() throws(AudioEngineError) {
        guard bench.isPlaying else { return try bench.start() }
        // Seldom: what stops does not fade.
        guard Int.random(in: 0..<10, using: &random) == 0 else { return }
        if Bool.random(using: &random) { bench.stop() }
        try bench.start()
    }
}
