// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text in columns. Any thread.

extension String {
    /// The text, filled up with spaces to `width` characters.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The same with the spaces before the text, for columns of numbers.
    package func padded(toRight width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension String {
    /// At most `width` characters; a cut text ends in "…".
    package func cut(to width: Int) -> String { utf8.count <= width || count <= width ? self : prefix(width - 1) + "…" }

    /// The number of visible characters.
    ///
    /// Plain ASCII takes the quick way, without grapheme clusters.
    fileprivate var width: Int {
        guard !utf8.contains(0x1B) else { return ANSIText.visibleCount(of: self) }
        return utf8.allSatisfy { $0 < 0x80 } ? utf8.count : count
    }
}

/// Rows under headings, each column as wide as its widest text.
package struct Table {
    private let headings: [String]

    package init(headings: [String]) { self.headings = headings }

    package func text(_ rows: [[String]]) -> String {
        let all = headings.allSatisfy(\.isEmpty) ? rows : [headings] + rows
        let widths = headings.indices.map { column in all.map { $0[column].width }.max() ?? 0 }
        return all.map { line($0, widths) }.joined(separator: "\n")
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        var gap = 0
        for (cell, width) in zip(cells, widths) {
            if !cell.isEmpty { line += String(repeating: " ", count: gap) + cell }
            gap = (cell.isEmpty ? gap + width : width - cell.width) + 2
        }
        return line
    }
}
