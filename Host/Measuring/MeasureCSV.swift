// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rows of a report as comma-separated values, with the names of the JSON form. Main thread.

/// One line of names, and one for each row.
package struct MeasureCSV {
    private let rows: [MeasureReport.Row]

    package init(rows: [MeasureReport.Row]) { self.rows = rows }

    /// The lines, without a line feed at the end.
    package var text: String {
        guard let first = rows.first else { return "" }
        return ([Self.fields(of: first).map(\.name)] + rows.map { Self.fields(of: $0).map(\.value) })
            .map { $0.joined(separator: ",") }.joined(separator: "\n")
    }

    /// The fields in the order of their declaration; empty for nil.
    ///
    /// No value contains a comma.
    private static func fields(of row: MeasureReport.Row) -> [(name: String, value: String)] {
        Mirror(reflecting: row).children.map { child in
            let isOptional = Mirror(reflecting: child.value).displayStyle == .optional
            let value: Any? = isOptional ? Mirror(reflecting: child.value).children.first?.value : child.value
            return (child.label ?? "", value.map { "\($0)" } ?? "")
        }
    }
}
