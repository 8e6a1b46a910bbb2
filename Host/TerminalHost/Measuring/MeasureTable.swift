// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a measurement found, for people: a sentence on the conditions, a table with the shape of each row. Main thread.

import PluginHosting

extension Double {
    /// With so many digits after the point.
    func digits(_ count: Int) -> String {
        let unit = (0..<count).reduce(1) { product, _ in product * 10 }
        let scaled = Int((magnitude * Double(unit)).rounded())
        let fraction = String(scaled % unit)
        let zeros = String(repeating: "0", count: max(0, count - fraction.count))
        return (self < 0 && scaled > 0 ? "-" : "") + "\(scaled / unit)" + (count > 0 ? ".\(zeros)\(fraction)" : "")
    }
}

/// The table of a report.
struct MeasureTable {
    private static let binCount = 24
    private let report: MeasureReport
    /// Of each row.
    private let shapes: [Distribution]
    private let floor: Distribution

    init(_ report: MeasureReport, _ measurement: Measurement) {
        self.report = report
        shapes = measurement.pairs.flatMap { [$0.inProcess.distribution, $0.outOfProcess.distribution] }
        floor = Distribution(measurement.pairs.map(\.floor.distribution.sorted).joined())
    }

    var text: String {
        let end = report.noise.isTrustworthy ? [] : ["", warning]
        return ([conditions, "", table, "", explanation] + end).joined(separator: "\n")
    }

    private var conditions: String {
        let place = report.processor.map { "all threads on processor \($0)" } ?? "threads wherever the kernel puts them"
        let rank = report.realtimePriority
        let scheduling =
            rank > 0
            ? "SCHED_FIFO, the measuring thread at \(rank) and the others below"
            : "SCHED_OTHER, as real-time scheduling is not permitted"
        let pace = report.periodUs > 0 ? "one every \(report.periodUs) µs" : "back to back"
        return "\(report.unit), stereo, \(report.cycles) cycles of each kind \(pace); \(place); \(scheduling)."
    }

    private var table: String {
        let headings = ["", "effects", "frames", "p50 µs", "p99", "p99.9", "max", "each effect", "x floor", axis]
        let floorRow =
            ["futex floor", "", ""] + Self.cells(report.floor) + ["", "1.00", shape(floor)]
        let rows = zip(report.rows, shapes).map { row, shape in cells(row, shape) }
        return Table(headings: headings).text([floorRow] + rows)
    }

    private func cells(_ row: MeasureReport.Row, _ shape: Distribution) -> [String] {
        let isOutside = row.isolation != IsolationPolicy.inProcess.rawValue
        let cost = isOutside ? ["+\(row.overheadPerEffectUs.digits(2)) µs", row.ratioToFloor.digits(2)] : ["", ""]
        let times = Self.cells(shape.microseconds)
        return [row.isolation, "\(row.effects)", "\(row.frames)"] + times + cost + [self.shape(shape)]
    }

    private static func cells(_ times: Percentiles) -> [String] {
        [times.p50us, times.p99us, times.p999us, times.maxus].map { $0.digits($0 < 100 ? 2 : 0) }
    }

    /// The shapes share one logarithmic axis.
    private var range: (low: Double, high: Double) {
        let all = shapes + [floor]
        let low = all.map { Double($0.percentile(0.001)) }.min() ?? 1
        return (max(1, low), max(2, all.map { Double($0.percentile(0.99)) }.max() ?? 2))
    }

    private var axis: String { "\((range.low / 1000).digits(1)) to \((range.high / 1000).digits(1)) µs" }

    private func shape(_ times: Distribution) -> String {
        Sparkline.text(times.histogram(from: range.low, to: range.high, binCount: Self.binCount))
    }

    private var explanation: String {
        """
        Each effect: what one more process costs, median over the in-process median, divided by the effects.
        Floor: a hand-off there and back between two processes, measured in turn with everything else.\(missed)
        """
    }

    private var missed: String {
        let count = report.missedDeadlines
        return count == 0 ? "" : "\n\(count) cycles ended at their deadline, with the dry signal."
    }

    private var warning: String {
        let tail = "the floor's 99th percentile is \(report.noise.floorP99OverP50.digits(1)) times its median"
        let spread = "its batches' medians lie \((report.noise.batchMedianSpread * 100).digits(0)) % apart"
        let missed = "\((report.noise.missedShare * 100).digits(2)) % of the cycles missed their deadline"
        return "This machine was too busy for the figures to be trusted: \(tail), \(spread), and \(missed)."
    }
}
