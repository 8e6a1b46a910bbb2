// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A screen of cells as an SVG or PNG file. Control thread.

import Cells
import Drawing

/// Draws cells as a dark terminal shows them; blocks, lines and dots are shapes, so that they need no font.
package struct CellPicture {
    private static let (cellWidth, cellHeight, margin) = (9.0, 18.0, 10.0)
    private static let (text, paper): (UInt32, UInt32) = (0xD5D9E0, 0x15181D)
    private static let palette: [UInt32] = [
        0x15181D, 0xE06C75, 0x7FBF6B, 0xE5C07B, 0x61A0E8, 0xC678DD, 0x56C2D6, 0xD5D9E0,
        0x6B7280, 0xFF8790, 0x98D982, 0xFFD58A, 0x82B8FF, 0xE19BF5, 0x76DDF0, 0xFFFFFF,
    ]

    private let canvas: Canvas

    /// Makes the contents of a file: SVG if `isVector` is true, otherwise PNG.
    ///
    /// Throws `DrawingError` if memory is short, or if the picture would be too large.
    package static func file(of grid: CellGrid, isVector: Bool) throws -> [UInt8] {
        // Cannot trap: a grid has at most 65,535 columns and rows.
        let width = Int(Double(grid.columnCount) * cellWidth + 2 * margin)
        // Cannot trap: as for the width.
        let height = Int(Double(grid.rowCount) * cellHeight + 2 * margin)
        guard width <= Canvas.longestSide, height <= Canvas.longestSide else {
            throw DrawingError(reason: "a picture of \(width) by \(height) points is too large")
        }
        let canvas = try Canvas(width: width, height: height, format: isVector ? .svg : .png)
        canvas.fill(Box(x: 0, y: 0, width: canvas.width, height: canvas.height), Colour(paper))
        let picture = CellPicture(canvas: canvas)
        for row in 0..<grid.rowCount {
            for column in 0..<grid.columnCount { picture.draw(grid[column, row], column, row) }
        }
        return try canvas.finish()
    }

    private func draw(_ cell: Cell, _ column: Int, _ row: Int) {
        let box = Box(
            x: Self.margin + Double(column) * Self.cellWidth, y: Self.margin + Double(row) * Self.cellHeight, width: Self.cellWidth,
            height: Self.cellHeight)
        var (front, back) = (Self.colour(cell.foreground, Self.text), Self.colour(cell.background, Self.paper))
        if cell.attributes.contains(.reversed) { (front, back) = (back, front) }
        if cell.attributes.contains(.dim) { front.opacity = 0.5 }
        if back != Colour(Self.paper) { canvas.fill(box, back) }
        if cell.attributes.contains(.underlined) {
            canvas.stroke([Point(box.x, box.bottom - 2), Point(box.right, box.bottom - 2)], front)
        }
        switch cell.codePoint {
        case 0, 0x20: break
        case 0x2800...0x28FF: dots(cell.codePoint & 0xFF, box, front)
        case 0x2580...0x2590: block(cell.codePoint, box, front)
        case 0x2500, 0x2502, 0x250C, 0x2510, 0x2514, 0x2518, 0x251C, 0x2524, 0x252C, 0x2534, 0x253C, 0x2504:
            lines(cell.codePoint, box, front)
        default:
            var characters = String.UnicodeScalarView()
            characters.append(Unicode.Scalar(cell.codePoint) ?? CellCharacter.replacement)
            if cell.mark != 0, let mark = Unicode.Scalar(cell.mark) { characters.append(mark) }
            canvas.text(
                String(characters), at: Point(box.x, box.bottom - 5), size: 15, front, isBold: cell.attributes.contains(.bold),
                family: .monospaced)
        }
    }

    private static func colour(_ color: CellColor, _ own: UInt32) -> Colour {
        switch color.rawValue >> 24 {
        case 1:
            let index = Int(color.rawValue & 0xFF)
            guard index >= 16 else { return Colour(palette[index]) }
            if index >= 232 {
                let grey = UInt32(8 + 10 * (index - 232))
                return Colour(grey << 16 | grey << 8 | grey)
            }
            func level(_ step: Int) -> UInt32 { step == 0 ? 0 : UInt32(55 + 40 * step) }
            let cube = index - 16
            return Colour(level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6))
        case 2: return Colour(color.rawValue & 0xFF_FFFF)
        default: return Colour(own)
        }
    }

    /// The dots of a braille pattern: bits 0 to 2 and 6 are the left column, 3 to 5 and 7 the right one.
    private func dots(_ bits: UInt32, _ box: Box, _ colour: Colour) {
        let rows = [0, 1, 2, 0, 1, 2, 3, 3]
        for bit in 0..<8 where bits >> UInt32(bit) & 1 == 1 {
            let isRight = (3...5).contains(bit) || bit == 7
            let centre = Point(
                box.x + box.width * (isRight ? 0.75 : 0.25), box.y + box.height * (Double(rows[bit]) + 0.5) / 4)
            canvas.disc(at: centre, radius: 1.5, colour)
        }
    }

    /// Blocks that grow from below (U+2581 to U+2588), from the left (U+2589 to U+258F), and halves.
    private func block(_ codePoint: UInt32, _ box: Box, _ colour: Colour) {
        var part = box
        switch codePoint {
        case 0x2580: part.height /= 2
        case 0x2581...0x2588:
            part.height *= Double(codePoint - 0x2580) / 8
            part.y = box.bottom - part.height
        case 0x2589...0x258F: part.width *= Double(0x2590 - codePoint) / 8
        default:
            part.width /= 2
            part.x += part.width
        }
        canvas.fill(part, colour)
    }

    /// Light lines from the middle to some of the four edges.
    private func lines(_ codePoint: UInt32, _ box: Box, _ colour: Colour) {
        let arms: [UInt32: String] = [
            0x2500: "lr", 0x2502: "ud", 0x250C: "rd", 0x2510: "ld", 0x2514: "ru", 0x2518: "lu", 0x251C: "udr", 0x2524: "udl",
            0x252C: "lrd", 0x2534: "lru", 0x253C: "lrud", 0x2504: "lr",
        ]
        let middle = Point(box.x + box.width / 2, box.y + box.height / 2)
        for arm in arms[codePoint] ?? "" {
            let end: Point =
                switch arm {
                case "l": Point(box.x, middle.y)
                case "r": Point(box.right, middle.y)
                case "u": Point(middle.x, box.y)
                default: Point(middle.x, box.bottom)
                }
            canvas.stroke([middle, end], colour, dash: codePoint == 0x2504 ? [2, 2] : [])
        }
    }
}
