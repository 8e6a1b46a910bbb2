// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positions of a view's panels: side by side, in rows, or one alone if there is little room. The view's thread.

import Cells

/// Equal parts of a view.
public struct PanelLayout: Hashable, Sendable {
    /// The panels; a panel without room is empty.
    public let panels: [CellRectangle]

    /// Lays out panels, with one column between neighbours.
    ///
    /// - Parameters:
    ///   - part: the available room.
    ///   - count: the number of panels.
    ///   - columnCount: the fewest columns of a panel.
    ///   - rowCount: the fewest rows of a panel.
    ///   - chosen: the panel that gets all the room if there is too little for all.
    public init(_ part: CellRectangle, count: Int, columnCount: Int, rowCount: Int, chosen: Int) {
        guard count > 0 else {
            panels = []
            return
        }
        var best: (width: Int, height: Int, perRow: Int)?
        for perRow in 1...count where count % perRow == 0 {
            let (width, height) = ((part.columnCount + 1) / perRow - 1, part.rowCount / (count / perRow))
            guard width >= columnCount, height >= rowCount else { continue }
            // A cell is about twice as high as it is wide, so panels of four columns a row look twice as wide as high.
            if let best, abs(width - 4 * height) >= abs(best.width - 4 * best.height) { continue }
            best = (width, height, perRow)
        }
        panels = (0..<count).map { index in
            guard let best else { return index == chosen ? part : CellRectangle(column: 0, row: 0, columnCount: 0, rowCount: 0) }
            // The remainder of a division goes to the later panels.
            let (place, row, rowCount) = (index % best.perRow, index / best.perRow, count / best.perRow)
            let (left, right) = (
                place * (part.columnCount + 1) / best.perRow, (place + 1) * (part.columnCount + 1) / best.perRow - 1
            )
            let (top, bottom) = (row * part.rowCount / rowCount, (row + 1) * part.rowCount / rowCount)
            return CellRectangle(
                column: part.column + left, row: part.row + top, columnCount: right - left, rowCount: bottom - top)
        }
    }

    /// The panel that holds a cell; nil if there is none.
    public func panel(atColumn column: Int, row: Int) -> Int? {
        panels.firstIndex { $0.contains(column: column, row: row) }
    }
}
