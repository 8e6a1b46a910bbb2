// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text in columns. Any thread.

extension String {
    /// The text, padded with spaces to `width` characters.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with the spaces in front, for columns of numbers.
    package func padded(toRight width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension String {
    /// At most `width` characters; a cut text ends in "…".
    package func cut(to width: Int) -> String { utf8.count <= width || count <= width ? self : prefix(width - 1) + "…" }
}

/// Rows under headings, each column as wide as its widest text.
package struct Table {
    private let headings: [StyledText]

    package init(headings: [String]) { self.headings = headings.map { StyledText($0) } }

    /// The lines of the table; each row makes one.
    package func lines(_ rows: [[StyledText]]) -> [StyledText] {
        let all = headings.allSatisfy(\.isEmpty) ? rows : [headings] + rows
        let widths = headings.indices.map { column in all.map { $0[column].visibleCount }.max() ?? 0 }
        return all.map { line($0, widths) }
    }

    /// The same for rows without colours.
    package func lines(_ rows: [[String]]) -> [StyledText] { lines(rows.map { $0.map { StyledText($0) } }) }

    /// The same as one text.
    package func text(_ rows: [[String]]) -> String { lines(rows).map(\.plain).joined(separator: "\n") }

    private func line(_ cells: [StyledText], _ widths: [Int]) -> StyledText {
        var line: StyledText = ""
        var gap = 0
        for (cell, width) in zip(cells, widths) {
            if !cell.isEmpty { line = line + StyledText(String(repeating: " ", count: gap)) + cell }
            gap = (cell.isEmpty ? gap + width : width - cell.visibleCount) + 2
        }
        return line
    }
}
