// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The results of a run, sorted once for the report, the table and the plot. Main thread.

import LinuxSystem
import PluginHosting

/// The times of one chain in one variant, and the times for comparison.
struct MeasuredRow {
    /// The variant; nil in process.
    let variant: MeasureVariant?
    let effectCount, frameCount: Int
    /// The number of chains side by side.
    let branchCount: Int
    let series: Series
    let times: Distribution
    /// The times of the same chain in process, measured in turn with it; nil if the user has not trusted its effects.
    let inProcess: Distribution?
    /// The floor of the same placement, measured in turn with it.
    let floor: MeasuredFloor
    /// Bare rings with as many processes and the same placement.
    ///
    /// For one effect it is the floor; for very many it is nil.
    let ring: Distribution?

    /// The share of cycles that missed their deadline, or of effects' blocks that were replaced.
    var missedShare: Double {
        let cycles = Double(max(1, series.counts.cycleCount))
        let missed = Double(series.missedDeadlineCount) / Double(branchCount)
        return max(missed, Double(series.replacedBlockCount) / Double(effectCount * branchCount)) / cycles
    }

    var isOutOfProcess: Bool { variant != nil }
    /// True if each effect has its own process.
    var isOfOneProcessEach: Bool { [.outOfProcess, .individually].contains(variant?.isolation) }
    /// The cost of one more process in nanoseconds; nil without times in process.
    var overheadPerEffect: Double? { inProcess.map { (times.median - $0.median) / Double(effectCount * branchCount) } }
}

/// A bare hand-off.
struct MeasuredFloor {
    let times, batchMedians: Distribution

    init(_ series: [Series]) {
        times = Distribution(series.map(\.distribution.sorted).joined())
        batchMedians = Distribution(series.map(\.batchMedians.sorted).joined())
    }
}

/// All results of a run.
package struct MeasureResults {
    let rows: [MeasuredRow]
    /// The floors over the whole run, by the placement of the second process, in the order of the rows.
    let floors: [(placement: UnitPlacement, floor: MeasuredFloor)]
    /// The rings for each chain's effects and the branches, at all frame counts.
    let rings: [(placement: UnitPlacement, effectCount: Int, times: Distribution)]
    let rank: SchedulingClass
    /// The reason why system calls were not counted.
    let omission: String?
    /// The reason why nothing was measured in process; nil if it was.
    package let obstacle: MeasurementError?
    /// The processor; nil if the kernel placed the threads.
    let processor: Int?
    /// The stolen share of the measured processors' time.
    let stolenShare: Double

    init(
        _ groups: [Measurement.Group], _ outcome: MeasuringThread.Outcome, processor: Int?, stolenShare: Double,
        obstacle: MeasurementError?
    ) {
        (rank, omission, self.processor, self.stolenShare) = (outcome.rank, outcome.omission, processor, stolenShare)
        self.obstacle = obstacle
        rows = groups.flatMap(Self.rows)
        floors = UnitPlacement.allCases.compactMap { placement in
            let series = groups.compactMap { $0.floors[placement] }
            return series.isEmpty ? nil : (placement, MeasuredFloor(series))
        }
        rings = Set(groups.map(\.effectCount)).sorted().flatMap { effectCount in
            UnitPlacement.allCases.compactMap { placement in
                let series = groups.filter { $0.effectCount == effectCount }.compactMap { $0.rings[placement] }
                guard !series.isEmpty else { return nil }
                return (placement, effectCount, Distribution(series.map(\.distribution.sorted).joined()))
            }
        }
    }

    /// The ends of an axis for all rows and floors, in nanoseconds.
    ///
    /// Nearly all times lie between them.
    var range: (low: Double, high: Double) {
        let all = rows.map(\.times) + floors.map(\.floor.times) + rings.map(\.times)
        let low = all.map { Double($0.percentile(0.001)) }.min() ?? 1
        return (max(1, low), max(2, all.map { Double($0.percentile(0.99)) }.max() ?? 2))
    }

    /// True if the rows differ in placement or waiting.
    var differsInPlacement: Bool { Set(rows.compactMap(\.variant?.placement)) != [MeasureVariant().placement] }
    var differsInWaiting: Bool { Set(rows.compactMap(\.variant?.waiting)) != [MeasureVariant().waiting] }

    /// The name of a variant, without the parts that all variants share.
    func name(of variant: MeasureVariant?) -> String {
        guard let variant else { return IsolationPolicy.inProcess.rawValue }
        return
            ([variant.isolation.rawValue] + (differsInPlacement ? [variant.placement.rawValue] : [])
            + (differsInWaiting ? [variant.waiting.rawValue] : [])).joined(separator: ", ")
    }

    private static func rows(_ group: Measurement.Group) -> [MeasuredRow] {
        let inside = group.inProcess?.distribution
        let floors = group.floors.mapValues { MeasuredFloor([$0]) }
        let rings = group.rings.mapValues(\.distribution)
        func row(_ variant: MeasureVariant?, _ series: Series, _ times: Distribution) -> MeasuredRow? {
            guard let floor = floors[variant?.placement ?? .together] ?? floors.values.first else { return nil }
            return MeasuredRow(
                variant: variant, effectCount: group.effectCount, frameCount: group.frameCount, branchCount: group.branchCount,
                series: series, times: times, inProcess: inside, floor: floor,
                ring: group.effectCount * group.branchCount == 1 ? floor.times : rings[variant?.placement ?? .together])
        }
        let outside = group.variants.map { row($0.variant, $0.series, $0.series.distribution) }
        let first = group.inProcess.flatMap { series in inside.flatMap { row(nil, series, $0) } }
        return ([first] + outside).compactMap(\.self)
    }
}
