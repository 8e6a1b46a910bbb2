// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The data of a run's plot, independent of the measuring. Any thread.

/// The lines of a plot.
package struct PlotData {
    /// A chain of one length in one variant, at one frame count.
    struct Row {
        /// The index of the row's colour in `ways`.
        let way: Int
        let effectCount, frameCount: Int
        let times: Distribution
        /// The cost of each effect in microseconds; nil in process.
        let costOfEach: Double?
        /// True if its figures cannot be trusted.
        var isNoisy = false
    }

    struct Floor {
        let name: String
        let times: Distribution
    }

    let title: String
    /// Remarks about the conditions, and about the trust in them.
    let remarks: [String]
    /// The variants of a chain, in process first.
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
