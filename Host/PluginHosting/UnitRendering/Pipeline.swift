// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain whose units render at the same time, each another block: which block is whose, and what waits to be heard. Render thread.

import Realtime
import Rendering

/// The blocks that are under way in a chain. In cycle `c` the unit at index `i` renders the block that came in in cycle `c - i`.
///
/// Without a pipeline the units render one after another, all of them the block that has just come in.
struct Pipeline: ~Copyable {
    /// Whether the units render at the same time.
    let isOn: Bool
    /// Whether the units have begun with a cycle when the one before is handed over, and render while the caller goes on.
    let isAhead: Bool
    /// Units that render at the same time once everything is under way.
    private let stageCount: Int
    /// What the driver asked for in the last cycles, by their numbers: while the first units are at a cycle already the last one may
    /// be at the one before.
    private let cycles: UnsafeMutablePointer<RenderCycle>
    private var queue: BlockQueue

    init(unitCount: Int, _ policy: ChainPolicy, _ format: ChainFormat) {
        isOn = policy.isPipelined(unitCount: unitCount)
        isAhead = isOn && policy.rendersAhead
        stageCount = isOn ? unitCount : 1
        cycles = .allocate(capacity: stageCount + 1)
        queue = BlockQueue(
            channelCount: isOn ? format.channelCount : 0, delay: Self.latency(unitCount: unitCount, policy),
            maximumFrameCount: format.maximumFrameCount)
    }

    deinit { cycles.deallocate() }

    /// Frames by which a chain is late because its units render at the same time: a block for each unit but the first, and one more
    /// where they render ahead.
    static func latency(unitCount: Int, _ policy: ChainPolicy) -> Int {
        guard policy.isPipelined(unitCount: unitCount), let frameCount = policy.pipelineFrameCount else { return 0 }
        return (unitCount - (policy.rendersAhead ? 0 : 1)) * frameCount
    }

    /// Takes note of a cycle. The first one has number 1.
    @_noLocks
    func begin(_ cycle: RenderCycle, number: UInt64) {
        if isOn { (cycles + position(number)).initialize(to: cycle) }
    }

    /// How many of `unitCount` units have a block to render in a cycle.
    @_noLocks
    func activeCount(of unitCount: Int, number: UInt64) -> Int { isOn ? Int(min(number, UInt64(unitCount))) : unitCount }

    /// What is rendered by the unit at `index`, which has a block, in cycle `number`, which is `cycle`.
    @_noLocks
    func cycle(of index: Int, number: UInt64, _ cycle: RenderCycle) -> RenderCycle {
        isOn ? cycles[position(number &- UInt64(index))] : cycle
    }

    /// Keeps what the last unit has put out.
    @_noLocks
    mutating func append(_ block: AudioBlock) { queue.append(block) }

    /// Fills a block with what is to be heard next.
    @_noLocks
    mutating func take(_ output: AudioBlock) { queue.take(output) }

    @_noLocks
    private func position(_ number: UInt64) -> Int { Int(number % UInt64(stageCount + 1)) }
}
