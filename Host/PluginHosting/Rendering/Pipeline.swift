// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain whose units render at the same time, each another block: which block is whose, and what waits to be heard. Render thread.

import Realtime
import Rendering

/// The blocks that are under way in a chain. In cycle `c` the unit at index `i` renders the block that came in in cycle `c - i`.
///
/// Without a pipeline the units render one after another, all of them the block that has just come in.
struct Pipeline: ~Copyable {
    /// Units that render at the same time once everything is under way.
    private let stageCount: Int
    /// What the driver asked for in the last cycles, by their numbers.
    private let cycles: UnsafeMutablePointer<RenderCycle>
    private var queue: BlockQueue

    /// `frameCount` is that of the driver's blocks: as many frames of latency come with each unit but the first. Nil for no pipeline.
    init(unitCount: Int, frameCount: Int?, format: ChainFormat) {
        let isOn = frameCount != nil && unitCount > 1
        stageCount = isOn ? unitCount : 1
        cycles = .allocate(capacity: stageCount)
        queue = BlockQueue(
            channelCount: isOn ? format.channelCount : 0, delay: Self.latency(unitCount: stageCount, frameCount: frameCount ?? 0),
            maximumFrameCount: format.maximumFrameCount)
    }

    deinit { cycles.deallocate() }

    /// Frames by which a chain is late because its units render at the same time.
    static func latency(unitCount: Int, frameCount: Int) -> Int { max(0, unitCount - 1) * frameCount }

    var isOn: Bool {
        @_noLocks get { stageCount > 1 }
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

    /// Hands over what the last unit has put out, and takes what is to be heard.
    @_noLocks
    mutating func exchange(_ block: AudioBlock, for output: AudioBlock, number: UInt64) {
        if number >= UInt64(stageCount) { queue.append(block) }
        queue.take(output)
    }

    @_noLocks
    private func position(_ number: UInt64) -> Int { Int(number % UInt64(stageCount)) }
}

/// Audio that comes in blocks of some sizes and goes in blocks of others.
struct BlockQueue: ~Copyable {
    private let channelCount: Int
    /// Frames, a power of two.
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// Frames that have come and gone, modulo 2⁶⁴.
    private var end: UInt64
    private var start: UInt64 = 0

    /// `[control]` Begins with `delay` frames of silence. Each call brings or takes `maximumFrameCount` frames at most.
    init(channelCount: Int, delay: Int, maximumFrameCount: Int) {
        self.channelCount = channelCount
        var capacity = 1
        while capacity < delay + 2 * maximumFrameCount { capacity *= 2 }
        self.capacity = capacity
        samples = .allocate(capacity: max(1, channelCount * capacity))
        samples.initialize(repeating: 0, count: max(1, channelCount * capacity))
        end = UInt64(delay)
    }

    deinit { samples.deallocate() }

    /// Frames that can be taken.
    var frameCount: Int {
        @_noLocks get { Int(truncatingIfNeeded: end &- start) }
    }

    /// Where there is no room for all of it the oldest frames go.
    @_noLocks
    mutating func append(_ block: AudioBlock) {
        for frame in 0..<block.frameCount {
            let position = (Int(truncatingIfNeeded: end) &+ frame) & (capacity - 1)
            for channel in 0..<channelCount {
                samples[channel &* capacity &+ position] = channel < block.channelCount ? block[channel][frame] : 0
            }
        }
        end &+= UInt64(block.frameCount)
        if frameCount > capacity { start = end &- UInt64(capacity) }
    }

    /// Fills a block; with silence first where there is too little.
    @_noLocks
    mutating func take(_ block: AudioBlock) {
        let silence = max(0, block.frameCount &- frameCount)
        for frame in 0..<block.frameCount {
            let position = (Int(truncatingIfNeeded: start) &+ max(0, frame &- silence)) & (capacity - 1)
            for channel in 0..<block.channelCount {
                block[channel][frame] =
                    frame < silence || channel >= channelCount ? 0 : samples[channel &* capacity &+ position]
            }
        }
        start &+= UInt64(block.frameCount &- silence)
    }
}
