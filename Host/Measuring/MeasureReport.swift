// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The report of a measurement for scripts, from which the table for people is made. Main thread.

import PluginHosting

/// The facts of a run, as `--json` prints them.
package struct MeasureReport: Encodable {
    /// A chain of one length, in one variant, at one frame count.
    package struct Row: Encodable {
        let isolation: String
        /// The placement and the way to wait; null in process.
        let placement, waiting: String?
        let effects, frames: Int
        let minUs, p50us, p99us, p999us, maxus: Double
        /// The median minus the in-process median, divided by all effects; also as a multiple of the floor's median.
        ///
        /// Null if nothing was measured in process.
        let overheadPerEffectUs, ratioToFloor: Double?
        /// The cost of all effects as a multiple of the median of bare rings with as many processes.
        ///
        /// Null in process, without times in process, and if effects share a process. Also null for chains of more than 64 effects, and for
        /// more than 512 in all.
        let ratioToRing: Double?
        /// The floor of the same placement, measured in turn with this row.
        let floorP50us, floorP99OverP50: Double
        /// The number of cycles that missed their deadline, including the settling ones.
        let missedDeadlines: UInt64
        /// The number of single effects' blocks that were replaced by the dry signal.
        let replacedBlocks: UInt64
        /// The number of threads: the measuring one and the effects' render threads.
        ///
        /// The counts below are the sum over these threads, for a cycle.
        let threads: Int
        let voluntarySwitches, involuntarySwitches, minorFaults, majorFaults: Double
        /// All system calls, and those other than futex, in back-to-back cycles; null if they were not counted.
        let systemCalls, otherSystemCalls: Double?
        /// True if that floor and these cycles were quiet; see `MeasureNoise`.
        let isTrustworthy: Bool
    }

    /// A bare hand-off and back, or rings with one process for each effect, one ring for each branch.
    struct Floor: Encodable {
        let placement: String
        let effects, branches: Int
        let minUs, p50us, p99us, p999us, maxus: Double
    }

    let unit: String
    let scheduling: String
    /// The priority of the measuring thread; the others are below it.
    ///
    /// 0 means SCHED_OTHER.
    let realtimePriority: Int32
    /// The processor; null if the kernel placed the threads.
    let processor: Int?
    let sampleRate: Double
    /// The number of chains side by side, each with the row's effects.
    let branches: Int
    let cycles: Int
    /// The microseconds from the start of one cycle to that of the next; 0 for cycles back to back.
    let periodUs: Int
    /// The sum over all rows.
    let missedDeadlines: UInt64
    let floors: [Floor]
    /// The worst values of all rows.
    let noise: MeasureNoise
    /// The same in a sentence.
    package let verdict: String
    /// The reason for missing rows in process; null if there are some.
    let inProcessOmitted: String?
    /// The reason for missing system calls in the rows; null if there are some.
    let systemCallsOmitted: String?
    package let rows: [Row]

    package init(_ results: MeasureResults, _ settings: MeasureSettings) {
        unit = settings.subject
        scheduling = results.rank == .ordinary ? "SCHED_OTHER" : "SCHED_FIFO"
        realtimePriority = results.rank.realtimePriority
        processor = results.processor
        sampleRate = ChainMeasure.sampleRate
        branches = settings.branchCount
        cycles = settings.batchCount * settings.batchSize
        periodUs = settings.periodMicroseconds
        let noises = results.rows.map { MeasureNoise($0, stolenShare: results.stolenShare) }
        rows = zip(results.rows, noises).map { Row($0, $1) }
        inProcessOmitted = results.obstacle.map { "\($0)" }
        systemCallsOmitted = results.omission
        missedDeadlines = rows.reduce(0) { $0 + $1.missedDeadlines }
        floors =
            results.floors.map { Floor($0.placement, effects: 1, branches: 1, $0.floor.times.microseconds) }
            + results.rings.map {
                Floor($0.placement, effects: $0.effectCount, branches: settings.branchCount, $0.times.microseconds)
            }
        noise = MeasureNoise(worstOf: noises)
        verdict = noise.verdict(ofRows: noises.count, noisy: noises.count { !$0.isTrustworthy })
    }
}

extension MeasureReport.Floor {
    fileprivate init(_ placement: UnitPlacement, effects: Int, branches: Int, _ times: Percentiles) {
        self.placement = placement.rawValue
        (self.effects, self.branches) = (effects, branches)
        (minUs, p50us, p99us, p999us, maxus) = (times.minUs, times.p50us, times.p99us, times.p999us, times.maxus)
    }
}

extension MeasureReport.Row {
    fileprivate init(_ row: MeasuredRow, _ noise: MeasureNoise) {
        let (times, counts) = (row.times.microseconds, row.series.counts)
        let floor = row.floor.times.median
        isolation = (row.variant?.isolation ?? .inProcess).rawValue
        (placement, waiting) = (row.variant?.placement.rawValue, row.variant?.waiting.rawValue)
        (effects, frames) = (row.effectCount, row.frameCount)
        (minUs, p50us, p99us, p999us, maxus) = (times.minUs, times.p50us, times.p99us, times.p999us, times.maxus)
        overheadPerEffectUs = row.overheadPerEffect.map { $0 / 1000 }
        ratioToFloor = row.overheadPerEffect.map { floor > 0 ? $0 / floor : 0 }
        let cost = row.overheadPerEffect.map { $0 * Double(row.effectCount * row.branchCount) }
        let ring = row.isOfOneProcessEach ? row.ring : nil
        ratioToRing = ring.flatMap { ring in ring.median > 0 ? cost.map { $0 / ring.median } : nil }
        (floorP50us, floorP99OverP50) = (floor / 1000, noise.floorP99OverP50)
        missedDeadlines = row.series.missedDeadlineCount
        replacedBlocks = row.series.replacedBlockCount
        threads = row.series.threads.count + 1
        voluntarySwitches = counts.perCycle(\.voluntarySwitches)
        involuntarySwitches = counts.perCycle(\.involuntarySwitches)
        minorFaults = counts.perCycle(\.minorFaults)
        majorFaults = counts.perCycle(\.majorFaults)
        systemCalls = counts.perCycle(\.all)
        otherSystemCalls = counts.perCycle(\.others)
        isTrustworthy = noise.isTrustworthy
    }
}
