// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text in columns. Any thread.

import FoundationEssentials
import Glibc

extension String {
    /// The text and as many spaces as it needs to be `width` characters long.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The same with the spaces before the text, for numbers.
    func padded(toRight width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

/// Rows under headings, each column as wide as its widest text.
struct Table {
    let headings: [String]

    func text(_ rows: [[String]]) -> String {
        let all = headings.allSatisfy(\.isEmpty) ? rows : [headings] + rows
        let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: "  ")
        return String(padded.reversed().drop { $0 == " " }.reversed())
    }
}
