// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bytes that update a terminal from one screen to another. Any thread.

import Cells

/// Writes the differences of two screens.
package struct CellWriter {
    private let kind: TerminalKind
    private var bytes: [UInt8] = []
    private var style: CellStyle?
    /// The position of the terminal's cursor; nil if it is uncertain.
    private var cursor: (column: Int, row: Int)?

    private init(_ kind: TerminalKind) { self.kind = kind }

    /// The bytes; `former` is the shown screen, or nil if that is unknown.
    package static func bytes(for grid: CellGrid, after former: CellGrid?, on kind: TerminalKind) -> [UInt8] {
        var writer = CellWriter(kind)
        let base = former.flatMap { $0.columnCount == grid.columnCount && $0.rowCount == grid.rowCount ? $0 : nil }
        if base == nil { writer.bytes += Array("\u{1B}[0m\u{1B}[2J".utf8) }
        let (new, old) = (grid.cells, base?.cells)
        for row in 0..<grid.rowCount {
            let start = row * grid.columnCount
            if let old, new[start..<start + grid.columnCount] == old[start..<start + grid.columnCount] { continue }
            writer.write(new[start..<start + grid.columnCount], old?[start..<start + grid.columnCount], row)
        }
        return writer.bytes
    }

    private mutating func write(_ new: ArraySlice<Cell>, _ old: ArraySlice<Cell>?, _ row: Int) {
        // After a character of uncertain width, the next one is also written.
        var isBesideUnsure = false
        for column in 0..<new.count {
            let cell = new[new.startIndex + column]
            let former = old.map { $0[$0.startIndex + column] } ?? Cell()
            guard cell != former || isBesideUnsure else { continue }
            let isUnsure = { (cell: Cell) in !CellCharacter.hasSureWidth(cell.codePoint) || cell.mark != 0 }
            isBesideUnsure = isUnsure(cell) || isUnsure(former)
            // The right half of a wide character is written with its left half.
            if cell.codePoint != 0 || kind.isASCII { write(cell, column, row) }
            if cell.codePoint == 0 { isBesideUnsure = true }
        }
    }

    private mutating func write(_ cell: Cell, _ column: Int, _ row: Int) {
        move(column, row)
        change(to: cell.style)
        if kind.isASCII {
            bytes.append(cell.ascii)
            cursor = (column + 1, row)
            return
        }
        append(cell.codePoint)
        if cell.mark != 0 { append(UInt32(cell.mark)) }
        cursor = CellCharacter.hasSureWidth(cell.codePoint) && cell.mark == 0 ? (column + 1, row) : nil
    }

    private mutating func append(_ codePoint: UInt32) {
        if codePoint < 0x80 { return bytes.append(UInt8(codePoint)) }
        guard let character = Unicode.Scalar(codePoint), let units = UTF8.encode(character) else { return }
        bytes.append(contentsOf: units)
    }

    private mutating func move(_ column: Int, _ row: Int) {
        if let cursor, cursor == (column, row) { return }
        append("\u{1B}[")
        append(number: row + 1)
        append(";")
        append(number: column + 1)
        append("H")
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func append(number: Int) {
        if number >= 10 { append(number: number / 10) }
        bytes.append(UInt8(0x30 + number % 10))
    }

    private mutating func change(to next: CellStyle) {
        guard style != next else { return }
        style = next
        append("\u{1B}[0")
        for (attribute, code) in [(CellAttributes.bold, 1), (.dim, 2), (.underlined, 4), (.reversed, 7)]
        where next.attributes.contains(attribute) {
            append(";")
            append(number: code)
        }
        append(next.foreground, base: 30)
        append(next.background, base: 40)
        append("m")
    }

    private mutating func append(_ color: CellColor, base: Int) {
        let near = kind.colorCount > 256 ? color : color.among(kind.colorCount)
        let value = near.rawValue
        switch value >> 24 {
        case 1 where value & 255 < 8:
            append(";")
            append(number: base + Int(value & 255))
        case 1 where value & 255 < 16:
            append(";")
            append(number: base + 60 + Int(value & 255) - 8)
        case 1:
            append(";")
            append(number: base + 8)
            append(";5;")
            append(number: Int(value & 255))
        case 2:
            append(";")
            append(number: base + 8)
            append(";2;")
            append(number: Int(value >> 16 & 255))
            append(";")
            append(number: Int(value >> 8 & 255))
            append(";")
            append(number: Int(value & 255))
        default: break
        }
    }
}
