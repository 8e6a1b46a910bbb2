// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A screen of cells: what is drawn, what beyond the edges is not, and what another process can put in it. Test thread.

import Testing

@testable import Cells

@Suite struct CellGridTests {
    @Test func aPictureInPixelsMovesWithItsGridAndCountsAsADifference() {
        var part = CellGrid(columnCount: 4, rowCount: 2)
        let size = PixelSize(width: 2, height: 1)
        part.pixels = CellPixels(
            part: CellRectangle(column: 1, row: 1, columnCount: 2, rowCount: 1), size: size, pixels: [0xFF00_0000, 0x8000_0000])
        #expect(part.pixels?.isOpaque == true && part.pixels?.fits(cell: PixelSize(width: 1, height: 1)) == true)
        let empty = CellGrid(columnCount: 10, rowCount: 5)
        var grid = empty
        grid.put(part, column: 3, row: 2)
        let place = CellRectangle(column: 4, row: 3, columnCount: 2, rowCount: 1)
        #expect(grid.pixels?.part == place && grid.difference(from: empty) == place && empty.difference(from: grid) == place)
        // Where it does not lie within the other one, it is left out.
        for (column, row) in [(8, 2), (3, 4), (-2, 2), (3, -2)] {
            grid.put(part, column: column, row: row)
            #expect(grid.pixels == nil)
        }
        #expect(CellPixels(part: place, size: size, pixels: [1]) == nil && CellPixels(part: place, size: .none, pixels: []) == nil)
        part.clear()
        #expect(part.pixels == nil)
    }

    @Test func aBoxHasATitleAndAnInside() {
        var grid = CellGrid(columnCount: 12, rowCount: 3)
        grid.box(grid.bounds, title: "Gain")
        grid.bar(0.5, column: 1, row: 1, width: 10)
        #expect(grid.text == "┌─ Gain ───┐\n│█████·····│\n└──────────┘")
        #expect(grid.text(isASCII: true) == "+- Gain ---+\n|#####.....|\n+----------+")
    }

    @Test func aBarIsExactToAnEighth() {
        var grid = CellGrid(columnCount: 2, rowCount: 5)
        for (row, share) in [1.0 / 16, 9.0 / 16, 1, 7, .nan].enumerated() {
            grid.bar(share, column: 0, row: row, width: 2, track: Cell(" "))
        }
        #expect(grid.text == "▏\n█▏\n██\n██\n")
    }

    @Test func whatLiesBeyondTheEdgesIsLeftOut() {
        var grid = CellGrid(columnCount: 4, rowCount: 2)
        grid.put("abcdefgh", column: 2, row: 0)
        grid.put("xyz", column: -1, row: 1)
        grid.put("no", column: 0, row: 9)
        grid.box(CellRectangle(column: 3, row: 1, columnCount: 20, rowCount: 20))
        grid.fill(CellRectangle(column: 50, row: -4, columnCount: 3, rowCount: 3))
        grid.fill(CellRectangle(column: -50, row: 40, columnCount: 3, rowCount: 3))
        #expect(grid.text == "  a…\nyz ┌")
        var empty = CellGrid(columnCount: 0, rowCount: -3)
        empty.put("x", column: 0, row: 0)
        #expect(empty.cells.isEmpty)
    }

    @Test func cellsOfAnotherProcessAreCleaned() {
        var random = SystemRandomNumberGenerator()
        let hostile = (0..<400).map { _ in
            var cell = Cell()
            cell.codePoint = UInt32.random(in: 0...0x11FFFF, using: &random)
            cell.mark = .random(in: 0...UInt16.max, using: &random)
            cell.foreground = CellColor(rawValue: .random(in: 0...UInt32.max, using: &random))
            cell.attributes = CellAttributes(rawValue: .random(in: 0...UInt16.max, using: &random))
            return cell
        }
        let grid = CellGrid(columnCount: 20, rowCount: 20, cleaning: hostile + hostile)
        for (index, cell) in grid.cells.enumerated() {
            let character = Unicode.Scalar(cell.codePoint)
            #expect(cell.codePoint == 0 && index % 20 > 0 || character.map(CellCharacter.isPrintable) == true)
            #expect(cell.mark == 0 || Unicode.Scalar(cell.mark).map(CellCharacter.isMark) == true)
            #expect(cell.foreground.rawValue >> 24 < 3 && cell.attributes.rawValue < 16)
        }
    }

    @Test func halvesOfWideCharactersAreEmptied() {
        var grid = CellGrid(columnCount: 6, rowCount: 1)
        grid.put("漢字音", column: 0, row: 0)
        grid[1, 0] = Cell("x")
        grid[4, 0] = Cell("y")
        grid.mend()
        #expect(grid.text == " x字y")
    }

    @Test func dotsBecomeBraille() {
        var plot = BraillePlot(columnCount: 2, rowCount: 1)
        for x in 0..<4 { plot.set(x: x, y: 3 - x) }
        plot.set(x: 99, y: 0)
        var grid = CellGrid(columnCount: 2, rowCount: 1)
        plot.draw(into: &grid, column: 0, row: 0)
        #expect(grid.text == "⡠⠊")
    }

    @Test func aCurveLeavesWhatIsBehindIt() {
        var grid = CellGrid(columnCount: 4, rowCount: 1)
        grid[0, 0] = Cell("█", CellStyle(foreground: .blue))
        grid[1, 0] = Cell("x", CellStyle(foreground: .blue, background: .green))
        var plot = BraillePlot(columnCount: 4, rowCount: 1)
        for x in 0..<6 { plot.set(x: x, y: 0) }
        plot.draw(into: &grid, column: 0, row: 0, CellStyle(foreground: .cyan))
        #expect(grid.text == "⠉⠉⠉" && (0..<3).allSatisfy { grid[$0, 0].foreground == .cyan })
        #expect((0..<4).map { grid[$0, 0].background } == [.blue, .green, .terminal, .terminal])
        grid.overlay("●", column: 0, row: 0, CellStyle(background: .red))
        grid.overlay("●", column: 9, row: 0)
        #expect(grid[0, 0].background == .red && grid.text == "●⠉⠉")
    }

    @Test func coloursAreTheNearestThatATerminalHas() {
        #expect(CellColor.rgb(255, 0, 0).among(256) == .palette(196))
        #expect(CellColor.rgb(250, 20, 10).among(8) == .red)
        #expect(CellColor.rgb(128, 128, 128).among(16) == .terminal)
        #expect(CellColor.palette(196).among(16) == .red && CellColor.palette(12).among(8) == .blue)
        #expect(CellColor.red.among(0) == .terminal && CellColor.terminal.among(256) == .terminal)
    }
}
