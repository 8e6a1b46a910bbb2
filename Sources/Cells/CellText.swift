// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text as cells: cleaned, measured and cut to a width. Any thread.

/// Cleaned text, a cell for each column.
public struct CellText: Hashable, Sendable {
    /// The cells; the right half of a wide character has the code point 0.
    public private(set) var cells: [Cell] = []

    /// The number of columns.
    public var width: Int { cells.count }

    /// Makes cells of any text, and stops after `limit` columns.
    ///
    /// A character that is not shown becomes U+FFFD. Of several combining marks, the first is kept.
    public init(_ text: some StringProtocol, _ style: CellStyle = .plain, limit: Int = 1024) {
        for character in text.unicodeScalars {
            guard cells.count < limit else { return }
            append(character, style)
        }
    }

    private mutating func append(_ character: Unicode.Scalar, _ style: CellStyle) {
        if CellCharacter.isPrintable(character) {
            cells.append(Cell(character, style))
            if CellCharacter.width(of: character) == 2 {
                cells.append(Cell(" ", style))
                cells[cells.count - 1].codePoint = 0
            }
            return
        }
        switch character.properties.generalCategory {
        case .nonspacingMark, .enclosingMark:
            guard let last = cells.lastIndex(where: { $0.codePoint != 0 }), cells[last].mark == 0 else { return }
            if CellCharacter.isMark(character) { cells[last].mark = UInt16(truncatingIfNeeded: character.value) }
        default: cells.append(Cell(CellCharacter.replacement, style))
        }
    }

    /// The text with at most `width` columns; a cut text ends in "…".
    public func cut(to width: Int) -> CellText {
        guard cells.count > width else { return self }
        guard width > 0 else { return CellText("") }
        var cut = self
        cut.cells.removeLast(cells.count - width + 1)
        // A wide character is not cut in half.
        if cells[width - 1].codePoint == 0, !cut.cells.isEmpty { cut.cells[width - 2] = Cell(" ", cells[width - 1].style) }
        cut.cells.append(Cell("…", cells[width - 1].style))
        return cut
    }
}
