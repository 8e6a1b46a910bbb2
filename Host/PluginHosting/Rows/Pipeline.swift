// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row whose units render at the same time: the block of each unit, and the output queue. Render thread.

import Realtime
import Rendering

/// The blocks under way in a row.
///
/// In cycle `c` the unit at index `i` renders the block that arrived in cycle `c - i`. Without a pipeline the units render one
/// after another, all of them the block that has just arrived.
struct Pipeline: ~Copyable {
    /// True if the units render at the same time.
    let isOn: Bool
    /// True if the units begin a cycle while the one before is handed over, and render while the caller goes on.
    let isAhead: Bool
    /// The units that render at the same time once the pipeline is full.
    private let stageCount: Int
    /// The last cycles of the driver, by their numbers.
    ///
    /// The last unit may be one cycle behind the first ones.
    private let cycles: UnsafeMutablePointer<RenderCycle>
    private var queue: BlockQueue

    init(unitCount: Int, _ policy: UnitPolicy, channelCount: Int, maximumFrameCount: Int) {
        isOn = policy.isPipelined(unitCount: unitCount)
        isAhead = isOn && policy.rendersAhead
        stageCount = isOn ? unitCount : 1
        cycles = .allocate(capacity: stageCount + 1)
        queue = BlockQueue(
            channelCount: isOn ? channelCount : 0, delay: Self.latency(unitCount: unitCount, policy),
            maximumFrameCount: maximumFrameCount)
    }

    deinit { cycles.deallocate() }

    /// The latency in frames that rendering at the same time adds to a row.
    ///
    /// It is a block for each unit but the first, and one more if they render ahead.
    static func latency(unitCount: Int, _ policy: UnitPolicy) -> Int {
        guard policy.isPipelined(unitCount: unitCount), let frameCount = policy.pipelineFrameCount else { return 0 }
        return (unitCount - (policy.rendersAhead ? 0 : 1)) * frameCount
    }

    /// Keeps a cycle; the first one has number 1.
    @_noLocks
    func begin(_ cycle: RenderCycle, number: UInt64) {
        if isOn { (cycles + position(number)).initialize(to: cycle) }
    }

    /// The number of units, of `unitCount`, that have a block to render in a cycle.
    @_noLocks
    func activeCount(of unitCount: Int, number: UInt64) -> Int { isOn ? Int(min(number, UInt64(unitCount))) : unitCount }

    /// The cycle whose block the unit at `index` renders in cycle `number`; the unit must have a block.
    @_noLocks
    func cycle(of index: Int, number: UInt64, _ cycle: RenderCycle) -> RenderCycle {
        isOn ? cycles[position(number &- UInt64(index))] : cycle
    }

    /// Keeps the last unit's block.
    @_noLocks
    mutating func append(_ block: AudioBlock) { queue.append(block) }

    /// Fills a block with the next output.
    @_noLocks
    mutating func take(_ output: AudioBlock) { queue.take(output) }

    @_noLocks
    private func position(_ number: UInt64) -> Int { Int(number % UInt64(stageCount + 1)) }
}
