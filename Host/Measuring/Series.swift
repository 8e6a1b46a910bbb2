// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A probe and its measured times. Measuring thread.

import Glibc
import LinuxSystem
import PluginHosting

/// The times of one probe, in batches.
final class Series: @unchecked Sendable {
    // SAFETY: the measuring thread writes; the control thread reads once that thread has been joined.
    let probe: Probe
    let batchCount, batchSize: Int
    /// The nanoseconds from the start of one cycle to that of the next; 0 for cycles back to back.
    private let period: UInt64
    private let nanoseconds: UnsafeMutablePointer<UInt32>
    /// The chain; nil for the floor.
    private let chain: MeasuredChain?
    private let calming: Calming?
    /// The looks of the deadline watch, which are excluded; nil for chains out of process, which need them.
    private let looks: DeadlineLooks?
    var counts = CycleCounts()
    /// The number of cycles that missed their deadline, including the settling ones.
    private(set) var missedDeadlineCount: UInt64 = 0
    /// The number of single effects' blocks that were replaced, and so not measured.
    private(set) var replacedBlockCount: UInt64 = 0

    convenience init(floor turns: FloorTurns, _ settings: MeasureSettings) { self.init(.floor(turns), nil, nil, settings) }

    convenience init(_ chain: MeasuredChain, frameCount: Int, _ settings: MeasureSettings) {
        let calming = chain.isRestless ? Calming(chain, frameCount: frameCount) : nil
        self.init(.chain(chain.probe(frameCount: frameCount)), chain, calming, settings)
    }

    /// Touches the memory, so that measuring causes no page fault.
    private init(_ probe: Probe, _ chain: MeasuredChain?, _ calming: Calming?, _ settings: MeasureSettings) {
        (self.probe, self.chain, self.calming) = (probe, chain, calming)
        looks = chain?.variant == nil ? DeadlineLooks() : nil
        (batchCount, batchSize) = (settings.batchCount, settings.batchSize)
        period = UInt64(settings.periodMicroseconds) * 1000
        nanoseconds = .allocate(capacity: batchCount * batchSize)
        nanoseconds.initialize(repeating: 0, count: batchCount * batchSize)
    }

    deinit { nanoseconds.deallocate() }

    /// Measures one batch; `settlingCount` cycles before it do not count.
    ///
    /// `own` counts for the calling thread.
    func measure(batch: Int, settlingCount: Int, own: ThreadCounter) {
        let lostBefore = lost
        let before = own.counts ?? ThreadCounts()
        let times = nanoseconds + batch * batchSize
        counts.cycleCount += probe.measure(
            settlingCount: settlingCount, into: times, count: batchSize, period: period, without: looks)
        counts.threads += (own.counts ?? before) - before
        if let threads = chain?.threads { counts.threads += threads.takeCounts() }
        missedDeadlineCount += lost.deadlines - lostBefore.deadlines
        let replaced = lost.blocks - lostBefore.blocks
        replacedBlockCount += replaced
        if replaced > 0, case .chain(let chain) = probe { chain.recover() }
        calm()
    }

    /// The losses of the whole chain so far.
    private var lost: (deadlines: UInt64, blocks: UInt64) {
        guard let chain else { return (0, 0) }
        return (chain.missedDeadlineCount, chain.members.reduce(0) { $0 + $1.replacedBlockCount })
    }

    /// Lets the units fall asleep.
    func calm() { calming?.run() }

    /// Resets the counts after the warm-up.
    func forgetCounts() {
        counts = CycleCounts()
        (missedDeadlineCount, replacedBlockCount) = (0, 0)
    }

    var isFloor: Bool { chain == nil }

    /// The threads beside the measuring one.
    var threads: [pid_t] { chain?.threads?.identifiers ?? [] }

    private var all: UnsafeBufferPointer<UInt32> {
        UnsafeBufferPointer(start: nanoseconds, count: batchCount * batchSize)
    }

    var distribution: Distribution { Distribution(all) }

    /// The median of each batch, in the order of time.
    var batchMedians: Distribution {
        let batches = (0..<batchCount).map { all[($0 * batchSize)..<(($0 + 1) * batchSize)] }
        return Distribution(batches.map { Distribution($0).percentile(0.5) })
    }
}

/// Lets spinning units fall asleep before another measurement.
private struct Calming {
    /// The frames of a short block: a unit spins for twice the length of its last block and a millisecond.
    private static let frameCount = 32
    private static let nanoseconds: UInt64 = 2_500_000
    private let probe: ChainProbe

    init(_ chain: MeasuredChain, frameCount: Int) { probe = chain.probe(frameCount: min(frameCount, Self.frameCount)) }

    func run() {
        let now = MonotonicClock.now()
        probe.run(hostTime: now)
        MonotonicClock.sleep(until: now + Self.nanoseconds)
    }
}
