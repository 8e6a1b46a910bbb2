// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One line of text with words at columns, and rows of markers. Control thread.

/// A line of fixed width; a word is placed only if there is room.
struct TextRow {
    private var cells: [Character]

    init(width: Int) { cells = Array(repeating: " ", count: width) }

    /// The line without trailing spaces.
    var text: String { String(cells[..<(cells.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)]) }

    /// Places a word; false, without a change, if it would leave the line or touch another word.
    @discardableResult
    mutating func place(_ word: String, at column: Int) -> Bool {
        let end = column + word.count
        guard column >= 0, end <= cells.count else { return false }
        let margin = max(0, column - 1)..<min(cells.count, end + 1)
        guard cells[margin].allSatisfy({ $0 == " " }) else { return false }
        cells.replaceSubrange(column..<end, with: word)
        return true
    }
}

/// Carets with labels, on as few rows as possible.
struct MarkerRows {
    let width: Int

    /// The lines; a label is right of its caret or, near the right edge, left of it.
    func lines(_ markers: [(column: Int, label: String)]) -> [String] {
        var rows: [TextRow] = []
        for (column, label) in markers {
            let text = Self.printable(label)
            if rows.indices.contains(where: { place(text, at: column, on: &rows[$0]) }) { continue }
            rows.append(TextRow(width: width))
            _ = place(text, at: column, on: &rows[rows.count - 1])
        }
        return rows.map(\.text)
    }

    private func place(_ label: String, at column: Int, on row: inout TextRow) -> Bool {
        row.place("^ " + label, at: column) || row.place(label + " ^", at: column - label.count - 1)
            || (label.count + 2 > width && row.place("^", at: column))
    }

    /// The label without characters that could control the terminal.
    private static func printable(_ label: String) -> String {
        String(label.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "?" : $0 })
    }
}
