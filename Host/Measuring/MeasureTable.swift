// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A report for people: a sentence about the conditions, and a table with the shape of each row. Main thread.

import Console

/// The table of a report.
package struct MeasureTable {
    private static let binCount = 24
    private let report: MeasureReport
    private let results: MeasureResults

    package init(_ report: MeasureReport, _ results: MeasureResults) { (self.report, self.results) = (report, results) }

    package var text: String {
        [conditions, "", table, "", explanation, "", CountsTable(report, results).text, "", report.verdict].joined(separator: "\n")
    }

    package var conditions: String {
        let isSpread = results.floors.contains { $0.placement == .spread }
        let place =
            report.processor.map { "all threads\(isSpread ? " but those of spread effects" : "") on processor \($0)" }
            ?? "threads placed by the kernel"
        let rank = report.realtimePriority
        let scheduling =
            rank > 0
            ? "SCHED_FIFO, the measuring thread at \(rank) and the others below"
            : "SCHED_OTHER, because real-time scheduling is not permitted"
        let pace = report.periodUs > 0 ? "one every \(report.periodUs) µs" : "back to back"
        let branches = report.branches > 1 ? "\(report.branches) chains side by side, " : ""
        return "\(report.unit), stereo, \(branches)\(report.cycles) cycles of each kind \(pace); \(place); \(scheduling)."
    }

    private var table: String {
        let headings =
            [
                "", "placed", "waiting", "effects", "frames", "min µs", "p50", "p99", "p99.9", "max", "each effect", "x floor",
                "x ring", "noise", axis,
            ]
        let floors = results.floors.map { placement, floor in
            ["futex floor", placement.rawValue, "", "", ""] + Self.cells(floor.times.microseconds)
                + ["", "1.00", "", "", shape(floor.times)]
        }
        let rings = results.rings.map { placement, effectCount, times in
            let each = times.median / Double(effectCount * report.branches)
            let floor = results.floors.first { $0.placement == placement }?.floor.times.median ?? 0
            return ["futex ring", placement.rawValue, "", "\(effectCount)", ""] + Self.cells(times.microseconds)
                + ["\((each / 1000).digits(2)) µs", floor > 0 ? (each / floor).digits(2) : "", "1.00", "", shape(times)]
        }
        let columns = headings.indices.filter { isTold(column: $0) }
        let all = [headings] + floors + rings + zip(report.rows, results.rows).map { cells($0, $1) }
        let told = all.map { row in columns.map { row[$0] } }
        return Table(headings: told[0]).text(Array(told.dropFirst()))
    }

    /// True if a column differs between rows; other columns are omitted.
    private func isTold(column: Int) -> Bool {
        switch column {
        case 1: results.differsInPlacement
        case 2: results.differsInWaiting
        case 12: !results.rings.isEmpty
        case 13: report.rows.contains { !$0.isTrustworthy }
        default: true
        }
    }

    private func cells(_ row: MeasureReport.Row, _ measured: MeasuredRow) -> [String] {
        let cost =
            measured.isOutOfProcess
            ? [
                row.overheadPerEffectUs.map { "\($0 < 0 ? "" : "+")\($0.digits(2)) µs" } ?? "",
                row.ratioToFloor.map { $0.digits(2) } ?? "", row.ratioToRing.map { $0.digits(2) } ?? "",
            ]
            : ["", "", ""]
        let times = Self.cells(measured.times.microseconds)
        return [row.isolation, row.placement ?? "", row.waiting ?? "", "\(row.effects)", "\(row.frames)"] + times + cost
            + [row.isTrustworthy ? "" : "noisy", shape(measured.times)]
    }

    private static func cells(_ times: Percentiles) -> [String] {
        [times.minUs, times.p50us, times.p99us, times.p999us, times.maxus].map { $0.digits($0 < 100 ? 2 : 0) }
    }

    /// The common logarithmic axis of all shapes.
    private var range: (low: Double, high: Double) { results.range }

    private var axis: String { "\((range.low / 1000).digits(1)) to \((range.high / 1000).digits(1)) µs" }

    private func shape(_ times: Distribution) -> String {
        Sparkline.text(times.histogram(from: range.low, to: range.high, binCount: Self.binCount))
    }

    private var explanation: String {
        """
        \(cost)Floor: a hand-off to another process and back, measured in turn with everything else.\(ring)
        The looks of the deadline watch count out of process, and nowhere else.\(missed)
        """
    }

    private var cost: String {
        report.inProcessOmitted == nil
            ? "Each effect: the cost of one more process, the median minus the in-process median, divided by the effects.\n" : ""
    }

    private var ring: String {
        results.rings.isEmpty
            ? ""
            : "\nRing: a bare ring of as many processes as the chain has effects"
                + (report.branches > 1 ? "; one for each chain." : ".")
    }

    private var missed: String {
        let count = report.missedDeadlines
        return count == 0 ? "" : "\n\(count) cycles ended at their deadline, with the dry signal."
    }
}
