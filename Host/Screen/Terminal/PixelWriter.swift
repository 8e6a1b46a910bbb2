// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The bytes that make a terminal show a screen with a picture in pixels: cells first, then sixels where they differ. Any thread.

import Cells

/// Writes the differences of two screens, pictures included.
enum PixelWriter {
    /// Whatever is shown differs from it.
    private static let unknown: Cell = {
        var cell = Cell()
        cell.attributes = CellAttributes(rawValue: .max)
        return cell
    }()

    /// The bytes, and the screen that the terminal then shows, in which cells below a picture are empty.
    ///
    /// `cell` is the size of a cell in pixels on a terminal that shows sixels, and otherwise empty. `colorCount` is the number of colours
    /// that a picture may have there.
    static func bytes(
        for grid: CellGrid, after former: CellGrid?, on kind: TerminalKind, cell: PixelSize, colorCount: Int = 256
    ) -> (bytes: [UInt8], shown: CellGrid) {
        var (new, old) = (grid, former)
        // A terminal scrolls when a picture reaches its last row.
        if let pixels = new.pixels, pixels.part.endRow >= new.rowCount || !pixels.fits(cell: cell) { new.pixels = nil }
        if let part = new.pixels?.part { new.fill(part) }
        let isSame = new.pixels == old?.pixels
        if !isSame, let former = old?.pixels, !isCovered(former, by: new.pixels) { old?.fill(former.part, unknown) }
        let bytes = CellWriter.bytes(for: new, after: old, on: kind)
        guard let pixels = new.pixels, !isSame || isTouched(pixels.part, new, old) else { return (bytes, new) }
        let place = "\u{1B}[\(pixels.part.row + 1);\(pixels.part.column + 1)H"
        return (bytes + Array(place.utf8) + SixelPicture.bytes(of: pixels, colorCount: colorCount), new)
    }

    /// Whether a picture wipes away the former one by itself, as writing cells does.
    private static func isCovered(_ former: CellPixels, by next: CellPixels?) -> Bool {
        next.map { $0.part == former.part && $0.size == former.size && $0.isOpaque } ?? false
    }

    /// Whether cells in a part, or beside it, were written.
    private static func isTouched(_ part: CellRectangle, _ new: CellGrid, _ old: CellGrid?) -> Bool {
        guard let old, old.columnCount == new.columnCount, old.rowCount == new.rowCount else { return true }
        return (part.row..<part.endRow).contains { row in
            (part.column - 1..<part.endColumn).contains { new[$0, row] != old[$0, row] }
        }
    }
}
