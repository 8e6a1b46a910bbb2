// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A waveform in plain ASCII, for terminals without UTF-8. Control thread.

/// `#` within a column's level, `:` out to its peaks, `-` for silence.
struct ASCIICanvas {
    let lines: [String]

    /// Draws one summary column a character.
    init(_ summary: WaveformSummary, height: Int, scale: Float) {
        let rows = DotRows(count: height, scale: scale)
        lines = (0..<height).map { y in
            String(summary.columns.map { column in Self.character(y, column, rows) })
        }
    }

    private static func character(_ y: Int, _ column: WaveformColumn, _ rows: DotRows) -> Character {
        guard rows.span(column).contains(y) else { return " " }
        if column.level == 0 { return "-" }
        return rows.isSolid(y, column) ? "#" : ":"
    }
}
