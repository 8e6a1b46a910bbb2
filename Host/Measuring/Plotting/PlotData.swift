// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plot shows of a run, apart from how it was measured. Any thread.

/// The lines of a plot.
package struct PlotData {
    /// A chain of one length, run in one way, at one frame count.
    struct Row {
        /// Whose colour the row has, an index of `ways`.
        let way: Int
        let effectCount, frameCount: Int
        let times: Distribution
        /// Microseconds; nil in process.
        let costOfEach: Double?
        /// Whether its figures are not to be trusted.
        var isNoisy = false
    }

    struct Floor {
        let name: String
        let times: Distribution
    }

    let title: String
    /// Of the conditions, and of how far they are to be trusted.
    let remarks: [String]
    /// The ways to run a chain, in process first.
    let ways: [String]
    let floors: [Floor]
    let rows: [Row]

    var effectCounts: [Int] { Set(rows.map(\.effectCount)).sorted() }
    var frameCounts: [Int] { Set(rows.map(\.frameCount)).sorted() }
}

extension PlotData {
    package init(_ report: MeasureReport, _ results: MeasureResults, remarks: [String]) {
        title = "\(report.unit): a cycle in process and out of process"
        self.remarks = remarks
        let variants = results.rows.map(\.variant)
        var known: [MeasureVariant?] = []
        for variant in variants where !known.contains(variant) { known.append(variant) }
        ways = known.map { results.name(of: $0) }
        floors = results.floors.map { placement, floor in
            Floor(name: results.differsInPlacement ? "futex floor, \(placement.rawValue)" : "futex floor", times: floor.times)
        }
        rows = zip(results.rows, report.rows).map { row, reported in
            Row(
                way: known.firstIndex(of: row.variant) ?? 0, effectCount: row.effectCount, frameCount: row.frameCount,
                times: row.times, costOfEach: row.isOutOfProcess ? row.overheadPerEffect.map { $0 / 1000 } : nil,
                isNoisy: !reported.isTrustworthy)
        }
    }
}
