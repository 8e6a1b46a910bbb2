// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The keys of a piano, in colours. The view's thread.

import Cells

/// A keyboard, two columns for each white key, with middle C in its middle.
public struct KeyboardPlot: Hashable, Sendable {
    /// The cells of the picture.
    public let part: CellRectangle
    /// The number of the first white key, and of the one after the last; 0 is MIDI key 0, a C.
    private let whiteKeys: Range<Int>

    /// The white keys within an octave, as semitones above its C.
    private static let semitones = [0, 2, 4, 5, 7, 9, 11]
    private static let (whiteKeyCount, middleC) = (75, 35)
    private static let (white, black) = (CellColor.rgb(222, 222, 222), CellColor.rgb(34, 34, 34))

    /// Makes a keyboard of as many keys as fit.
    public init(_ part: CellRectangle) {
        let count = min(Self.whiteKeyCount, part.columnCount / 2)
        let first = max(0, min(Self.whiteKeyCount - count, Self.middleC - count / 2))
        whiteKeys = first..<first + count
        self.part = CellRectangle(
            column: part.column + (part.columnCount - 2 * count) / 2, row: part.row, columnCount: 2 * count,
            rowCount: part.rowCount)
    }

    private static func key(_ white: Int) -> Int { 12 * (white / 7) + semitones[white % 7] }

    /// The keys by their MIDI numbers; 60 is middle C.
    public var keys: Range<Int> {
        guard let last = whiteKeys.last else { return 0..<0 }
        return Self.key(whiteKeys.lowerBound)..<Self.key(last) + 1
    }

    /// Draws all keys; `color` gives the colour of a key, or nil.
    public func draw(into grid: inout CellGrid, color: (Int) -> CellColor?) {
        let blackRowCount = part.rowCount > 1 ? max(1, part.rowCount * 3 / 5) : 0
        for (index, white) in whiteKeys.enumerated() {
            let (key, column) = (Self.key(white), part.column + 2 * index)
            let style = CellStyle(foreground: Self.black, background: color(key) ?? Self.white)
            for row in part.row..<part.endRow {
                grid[column, row] = Cell("▏", style)
                grid[column + 1, row] = Cell(" ", style)
            }
            if white % 7 == 0 { grid.put("C\(white / 7 - 1)", column: column, row: part.endRow - 1, style, width: 2) }
            // The black key between this white key and the one before.
            guard index > 0, key - Self.key(white - 1) == 2 else { continue }
            for row in part.row..<part.row + blackRowCount {
                grid[column, row] = Cell("█", CellStyle(foreground: color(key - 1) ?? Self.black, background: style.background))
            }
        }
    }
}
