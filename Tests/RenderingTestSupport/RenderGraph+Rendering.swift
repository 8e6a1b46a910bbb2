// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Puts graphs together by index, and renders one after the other. Test thread.

import Rendering

extension RenderGraph {
    /// Adds a node, and returns its index.
    package mutating func add(_ work: Work, inputs: [Int] = [], outputs: [Int] = [2], latency: Int = 0, isSink: Bool = false) -> Int
    {
        nodes.append(
            Node(work, inputChannelCounts: inputs, outputChannelCounts: outputs, latencyFrameCount: latency, isSink: isSink))
        return nodes.count - 1
    }

    /// Connects the first output of a node.
    package mutating func connect(_ source: Int, to node: Int, bus: Int = 0, _ state: ConnectionState, isLeaving: Bool = false) {
        connections.append(Connection(from: Bus(node: source), to: Bus(node: node, bus: bus), state: state, isLeaving: isLeaving))
    }

    /// Adds what the driver plays: the output of a node.
    package mutating func play(_ node: Int, channelCount: Int = 2, over state: ConnectionState = ConnectionState.standing()) {
        let output = add(.render(DriverOutput()), inputs: [channelCount], outputs: [], isSink: true)
        connect(node, to: output, state)
    }
}

/// Renders graphs offline, as many frames of each as it says.
///
/// Memory that nothing has written holds NaN. `blocks` gives the lengths of the cycles, the last one again and again; the first cycle of a
/// graph begins where the one before ends.
package func render(
    _ stages: [(graph: RenderGraph, frameCount: Int)], channelCount: Int = 2, inBlocksOf blocks: [Int],
    before: (_ frame: Int) -> Void = { _ in }
) throws -> [[Float]] {
    let player = PlanPlayer()
    let driver = SteppedDriver(
        playing: player, channelCount: channelCount, maximumFrameCount: 4096, sampleRate: 48_000)
    var heard = [[Float]](repeating: [], count: channelCount)
    var rest = blocks[...]
    for stage in stages {
        player.play(try RenderPlan(stage.graph, poisonsMemory: true))
        before(heard[0].count)
        var left = stage.frameCount
        while left > 0 {
            let count = min(left, rest.popFirst() ?? blocks[blocks.count - 1])
            let block = driver.render(frameCount: count)
            for channel in 0..<channelCount { heard[channel] += UnsafeBufferPointer(start: block[channel], count: count) }
            left -= count
        }
    }
    return heard
}

/// Lengths of blocks that sum up to `frameCount`, for each way in which a test cuts time.
package func cuts(of frameCount: Int) -> [[Int]] {
    var random: UInt64 = 1
    var lengths: [Int] = []
    while lengths.reduce(0, +) < frameCount {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        lengths.append(1 + Int(random >> 33) % 700)
    }
    return [[32], [64], [256], [4096], lengths]
}
