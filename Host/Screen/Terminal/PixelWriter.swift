// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bytes that show a screen with a picture in pixels: cells first, then sixels for the differences. Any thread.

import Cells

/// Writes the differences of two screens, including pictures.
enum PixelWriter {
    /// A cell that differs from every shown cell.
    private static let unknown: Cell = {
        var cell = Cell()
        cell.attributes = CellAttributes(rawValue: .max)
        return cell
    }()

    /// The longest picture in bytes: while a terminal takes it, the screen shows nothing else.
    static let mostPictureBytes = 2 << 20

    /// The bytes, and the screen that the terminal then shows, with empty cells below a picture.
    ///
    /// `cell` is the size of a cell in pixels on a terminal with sixels, and otherwise empty. `colorCount` is the number of
    /// colours for a picture there.
    static func bytes(
        for grid: CellGrid, after former: CellGrid?, on kind: TerminalKind, cell: PixelSize, colorCount: Int = 256
    ) -> (bytes: [UInt8], shown: CellGrid) {
        var (new, old) = (grid, former)
        // A terminal scrolls if a picture reaches its last row.
        if let pixels = new.pixels, pixels.part.endRow >= new.rowCount || !pixels.fits(cell: cell) { new.pixels = nil }
        if let part = new.pixels?.part { new.fill(part) }
        let isSame = new.pixels == old?.pixels
        if !isSame, let former = old?.pixels, !isCovered(former, by: new.pixels) { old?.fill(former.part, unknown) }
        let bytes = CellWriter.bytes(for: new, after: old, on: kind)
        guard let pixels = new.pixels, !isSame || isTouched(pixels.part, new, old) else { return (bytes, new) }
        let place = "\u{1B}[\(pixels.part.row + 1);\(pixels.part.column + 1)H"
        let picture = SixelPicture.bytes(of: pixels, colorCount: colorCount)
        guard picture.count <= mostPictureBytes else {
            // The characters below it are shown instead.
            var grid = grid
            grid.pixels = nil
            return Self.bytes(for: grid, after: former, on: kind, cell: cell, colorCount: colorCount)
        }
        return (bytes + Array(place.utf8) + picture, new)
    }

    /// True if a picture overwrites the former one completely, as cells do.
    private static func isCovered(_ former: CellPixels, by next: CellPixels?) -> Bool {
        next.map { $0.part == former.part && $0.size == former.size && $0.isOpaque } ?? false
    }

    /// True if cells in or beside a rectangle were written.
    private static func isTouched(_ part: CellRectangle, _ new: CellGrid, _ old: CellGrid?) -> Bool {
        guard let old, old.columnCount == new.columnCount, old.rowCount == new.rowCount else { return true }
        return (part.row..<part.endRow).contains { row in
            (part.column - 1..<part.endColumn).contains { new[$0, row] != old[$0, row] }
        }
    }
}
