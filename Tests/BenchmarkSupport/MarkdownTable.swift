// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tables in Markdown. Any thread.

/// Rows under headings.
package struct MarkdownTable {
    private let headings: [String]
    /// Makes a table with these headings and no rows.
    package init(_ headings: [String]) { self.headings = headings }

    /// The table, one line a row.
    ///
    /// A bar inside a cell is escaped, because it would end the cell. A short row is filled with empty cells.
    package func text(_ rows: [[String]]) -> String {
        let lines =
            [headings, headings.map { _ in "---" }]
            + rows.map { $0 + Array(repeating: "", count: max(0, headings.count - $0.count)) }
        return lines.map { "| \($0.map(Self.escaped).joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func escaped(_ cell: String) -> String {
        cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
            .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: " ")
    }
}
