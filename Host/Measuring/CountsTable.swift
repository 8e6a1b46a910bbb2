// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sleeps, page faults and system calls of each row, for people. Main thread.

import Console

/// The counts of a report.
struct CountsTable {
    let report: MeasureReport
    let results: MeasureResults

    init(_ report: MeasureReport, _ results: MeasureResults) { (self.report, self.results) = (report, results) }

    var text: String {
        let headings =
            ["a cycle, all threads", "placed", "waiting", "effects", "frames", "threads", "slept", "preempted", "faults", "major"]
            + (report.systemCallsOmitted == nil ? ["calls", "no futex"] : [])
        let columns = headings.indices.filter { isTold(column: $0) }
        let rows = report.rows.map { row in columns.map { cells(row)[$0] } }
        return Table(headings: columns.map { headings[$0] }).text(rows) + "\n\n" + explanation
    }

    private func isTold(column: Int) -> Bool {
        switch column {
        case 1: results.differsInPlacement
        case 2: results.differsInWaiting
        default: true
        }
    }

    private func cells(_ row: MeasureReport.Row) -> [String] {
        let counts = [row.voluntarySwitches, row.involuntarySwitches, row.minorFaults, row.majorFaults]
        let calls = [row.systemCalls, row.otherSystemCalls].compactMap(\.self)
        return [row.isolation, row.placement ?? "", row.waiting ?? "", "\(row.effects)", "\(row.frames)", "\(row.threads)"]
            + (counts + calls).map(Self.number)
    }

    /// A count as text, which is "0" only for an exact 0.
    private static func number(_ count: Double) -> String {
        switch abs(count) {
        case 0: "0"
        case ..<0.0001: "<0.0001"
        case ..<0.1: count.digits(4)
        default: count.digits(2)
        }
    }

    private var explanation: String {
        let threads = "Counted of the measuring thread and every effect's render thread: sleeps, lost processors, page faults"
        guard let omission = report.systemCallsOmitted else {
            return "\(threads),\nsystem calls, and system calls other than futex; the calls in further cycles, back to back."
        }
        return "\(threads).\nSystem calls were not counted. \(omission)"
    }
}
