// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The order in which a plan calls its nodes: what can render at the same time begins together, and no node reads a signal
// before it exists. Test thread.

import Realtime
import RenderingTestSupport
import Testing

@testable import Rendering

@Suite struct GraphOrderTests {
    private var graph = RenderGraph(maximumFrameCount: 64)

    private mutating func add(_ node: any RenderNode, after sources: [Int] = []) -> Int {
        graph.nodes.append(
            RenderGraph.Node(
                .render(node), inputChannelCounts: [Int](repeating: 1, count: sources.count), outputChannelCounts: [1]))
        for (bus, source) in sources.enumerated() { connect(source, graph.nodes.count - 1, bus: bus) }
        return graph.nodes.count - 1
    }

    private mutating func connect(_ source: Int, _ destination: Int, bus: Int = 0) {
        graph.connections.append(
            RenderGraph.Connection(
                from: RenderGraph.Bus(node: source), to: RenderGraph.Bus(node: destination, bus: bus)))
    }

    /// A letter and the node's number for each call: b begins, w waits, c completes, h is the whole.
    ///
    /// Bars lie between groups.
    private mutating func order(endingWith sinks: Int...) throws -> String {
        for sink in sinks { graph.nodes[sink].isSink = true }
        let order = try GraphOrder(graph)
        return order.groups.map { group in
            order.parts[group.parts].map { part in
                switch part.kind {
                case .beginning: "b\(part.node)"
                case .waiting: "w\(part.node)"
                case .completion: "c\(part.node)"
                case .whole: "h\(part.node)"
                }
            }.joined(separator: " ")
        }.joined(separator: " | ")
    }

    @Test mutating func aLoneUnitIsCalledOnce() throws {
        let unit = add(Others(), after: [add(Constant(1))])
        #expect(try order(endingWith: unit) == "h0 | h1")
    }

    @Test mutating func unitsInARowFollowEachOther() throws {
        let first = add(Others())
        let last = add(Others(), after: [add(Constant(1), after: [first])])
        #expect(try order(endingWith: last) == "h0 | h1 | h2")
    }

    /// The last one that begins is waited for first: where they share a processor, all others are done by then.
    @Test mutating func branchesBeginTogetherAndAreWaitedForFromTheLast() throws {
        let units = (0..<3).map { _ in add(Others(), after: [add(Constant(1))]) }
        let end = add(Constant(1), after: units)
        #expect(try order(endingWith: end) == "h0 | b1 | h2 | b3 | h4 | b5 | w5 | w3 | w1 | c1 | c3 | c5 | h6")
        let groups = try GraphOrder(graph).groups
        #expect([1, 3, 5].allSatisfy { groups[$0].end == 12 })
        #expect(groups.indices.filter { ![1, 3, 5].contains($0) }.allSatisfy { groups[$0].end == $0 + 1 })
    }

    /// What the host has to do is done while the units render.
    @Test mutating func theHostsNodesAreRenderedBeforeUnitsAreWaitedFor() throws {
        let unit = add(Others())
        let players = (0..<3).map { _ in add(Constant(1)) }
        let end = add(Constant(1), after: [unit] + players)
        #expect(try order(endingWith: end) == "b0 | h1 h2 h3 | w0 | c0 | h4")
    }

    @Test mutating func tracksOfSeveralUnitsAdvanceTogether() throws {
        let ends = (0..<2).map { _ in
            let first = add(Others())
            return add(Others(), after: [add(Constant(1), after: [first])])
        }
        let end = add(Constant(1), after: ends)
        #expect(try order(endingWith: end) == "b0 | b3 | w3 | w0 | c0 | c3 | h1 | b2 | h4 | b5 | w5 | w2 | c2 | c5 | h6")
    }

    @Test mutating func whatLeadsToNoOutputIsNotRendered() throws {
        let heard = add(Constant(1))
        _ = add(Constant(1), after: [add(Constant(1))])
        #expect(try order(endingWith: heard) == "h0")
    }

    @Test mutating func whatABuilderWasGivenIsRendered() throws {
        let beside = Others()
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let source = builder.add(source: Constant(1))
        _ = builder.add(beside, after: source)
        let player = PlanPlayer()
        player.play(builder.plan(output: source))
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        _ = driver.render(frameCount: 64)
        #expect(beside.calls == [1, 2, 3])
    }

    @Test mutating func nodesThatFeedEachOtherAreNamed() throws {
        let source = add(Constant(1))
        let first = add(Constant(1), after: [source])
        let second = add(Constant(1), after: [first])
        let third = add(Constant(1), after: [second])
        graph.nodes[first].inputChannelCounts = [1, 1]
        connect(third, first, bus: 1)
        let end = add(Constant(1), after: [third])
        graph.nodes[end].isSink = true
        guard case .failure(.cycle(let nodes)) = Result(catching: { () throws(RenderGraphError) in try GraphOrder(graph) }) else {
            Issue.record("the cycle was not found")
            return
        }
        // In the order of the signal, whichever comes first.
        let start = try #require(nodes.firstIndex(of: first))
        #expect(Array(nodes[start...] + nodes[..<start]) == [first, second, third])
    }

    @Test mutating func whatIsRenderedIsWhatWasAdded() throws {
        let nodes = (1...3).map { _ in Others() }
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: 64)
        let signals = nodes.map { builder.add($0, after: builder.add(source: Constant(0.25))) }
        let player = PlanPlayer()
        player.play(builder.plan(output: builder.add(Mixer(inputCount: 3), of: signals)))
        let driver = SteppedDriver(playing: player, channelCount: 1, maximumFrameCount: 64, sampleRate: 48_000)
        for _ in 0..<2 { #expect(driver.render(frameCount: 64)[0][63] == 1.5) }
        #expect(nodes.map(\.calls) == [[1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3]])
    }
}

/// Doubles its input as of its beginning, as if other threads did the work; and records its calls.
private final class Others: ConcurrentNode {
    private struct Core {
        var value: Float = 0
        var calls: UnsafeMutablePointer<Int>
        var callCount = 0

        mutating func note(_ call: Int) {
            calls[callCount] = call
            callCount += 1
        }
    }

    // SAFETY: used by one thread at a time.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    init() {
        core = .allocate(capacity: 1)
        core.initialize(to: Core(calls: .allocate(capacity: 64)))
    }

    deinit {
        core.pointee.calls.deallocate()
        core.deallocate()
    }

    /// 1 began, 2 waited, 3 completed.
    var calls: [Int] { (0..<core.pointee.callCount).map { core.pointee.calls[$0] } }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var beginFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let core = context.assumingMemoryBound(to: Core.self)
            core.pointee.note(1)
            core.pointee.value = 2 * call.assumingMemoryBound(to: NodeCall.self).pointee.input[0][63]
        }
    }

    var awaitFunction: Function {
        { context, _ in context?.assumingMemoryBound(to: Core.self).pointee.note(2) }
    }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            let core = context.assumingMemoryBound(to: Core.self)
            core.pointee.note(3)
            let output = call.assumingMemoryBound(to: NodeCall.self).pointee.output
            for frame in 0..<64 { output[0][frame] = core.pointee.value }
        }
    }
}
