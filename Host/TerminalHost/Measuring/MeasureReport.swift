// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a measurement found: the facts for scripts, from which the table for people is made too. Main thread.

import LinuxSystem
import PluginHosting

/// The facts of a run, as `--json` prints them.
struct MeasureReport: Encodable {
    /// A chain of one length in one place, at one frame count.
    struct Row: Encodable {
        let isolation: String
        let effects, frames: Int
        let p50us, p99us, p999us, maxus: Double
        /// Median minus the in-process median, divided by the effects; and that as a multiple of the floor's median.
        let overheadPerEffectUs, ratioToFloor: Double
        /// Of the measuring thread alone, a cycle.
        let voluntarySwitches, involuntarySwitches, pageFaults: Double
    }

    let unit: String
    let scheduling: String
    /// Of the measuring thread; what it waits for runs below. 0 for SCHED_OTHER.
    let realtimePriority: Int32
    /// Null when the kernel placed the threads.
    let processor: Int?
    let sampleRate: Double
    let cycles: Int
    /// Microseconds from the start of one cycle to that of the next; 0 for cycles back to back.
    let periodUs: Int
    /// Cycles that ended at their deadline and not with the last effect's answer, all chains and settling in.
    let missedDeadlines: UInt64
    let floor: Percentiles
    let noise: MeasureNoise
    let rows: [Row]

    init(_ measurement: Measurement, _ settings: MeasureSettings, rank: SchedulingClass) {
        let floors = measurement.pairs.map(\.floor)
        let all = Distribution(floors.map(\.distribution.sorted).joined())
        unit = settings.chain.saved?.name ?? settings.id
        scheduling = rank == .ordinary ? "SCHED_OTHER" : "SCHED_FIFO"
        realtimePriority = rank.realtimePriority
        processor = measurement.place.processor
        sampleRate = ChainMeasure.sampleRate
        cycles = settings.batchCount * settings.batchSize
        periodUs = settings.periodMicroseconds
        missedDeadlines = measurement.place.chains.reduce(0) { $0 + $1.chain.missedDeadlineCount }
        floor = all.microseconds
        noise = MeasureNoise(
            floor: all, batchMedians: Distribution(floors.map(\.batchMedians.sorted).joined()),
            missedShare: Double(missedDeadlines) / Double(cycles * measurement.pairs.count))
        rows = measurement.pairs.flatMap { Self.rows($0, settings.isolation, floor: all.median) }
    }

    private static func rows(_ pair: Measurement.Pair, _ policy: IsolationPolicy, floor: Double) -> [Row] {
        let inside = pair.inProcess.distribution
        return [
            Row(.inProcess, pair, pair.inProcess, inside, inside: inside, floor),
            Row(policy, pair, pair.outOfProcess, pair.outOfProcess.distribution, inside: inside, floor),
        ]
    }
}

extension MeasureReport.Row {
    fileprivate init(
        _ isolation: IsolationPolicy, _ pair: Measurement.Pair, _ series: Series, _ times: Distribution, inside: Distribution,
        _ floor: Double
    ) {
        let switches = series.contextSwitches
        let (all, overhead) = (times.microseconds, (times.median - inside.median) / Double(pair.effectCount))
        self.isolation = isolation.rawValue
        (effects, frames) = (pair.effectCount, pair.frameCount)
        (p50us, p99us, p999us, maxus) = (all.p50us, all.p99us, all.p999us, all.maxus)
        overheadPerEffectUs = overhead / 1000
        ratioToFloor = floor > 0 ? overhead / floor : 0
        voluntarySwitches = switches.perCycle(switches.voluntary)
        involuntarySwitches = switches.perCycle(switches.involuntary)
        pageFaults = switches.perCycle(switches.pageFaults)
    }
}

/// Whether the machine was quiet enough for the figures to mean something.
struct MeasureNoise: Encodable {
    static let highestTailRatio = 3.0
    static let highestSpread = 0.25
    static let highestMissedShare = 0.001

    /// The floor's 99th percentile over its median.
    let floorP99OverP50: Double
    /// How far the floor's batch medians lie apart, from the 10th to the 90th percentile, as a share of their median.
    let batchMedianSpread: Double
    /// The share of out-of-process cycles that ended at their deadline.
    let missedShare: Double
    let isTrustworthy: Bool

    init(floor: Distribution, batchMedians: Distribution, missedShare: Double = 0) {
        self.missedShare = missedShare
        floorP99OverP50 = floor.median > 0 ? Double(floor.percentile(0.99)) / floor.median : 0
        let width = Double(batchMedians.percentile(0.9)) - Double(batchMedians.percentile(0.1))
        batchMedianSpread = batchMedians.median > 0 ? width / batchMedians.median : 0
        isTrustworthy =
            floorP99OverP50 <= Self.highestTailRatio && batchMedianSpread <= Self.highestSpread
            && missedShare <= Self.highestMissedShare
    }
}
