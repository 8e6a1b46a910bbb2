// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What is written to a terminal: differences alone, in its colours and characters. Test thread.

import Cells
import Testing

@testable import Screen

@Suite struct CellWriterTests {
    private let rich = TerminalKind(colorCount: 256, isASCII: false, entering: "", leaving: "")

    private func text(_ grid: CellGrid, after former: CellGrid?, _ kind: TerminalKind) -> String {
        String(decoding: CellWriter.bytes(for: grid, after: former, on: kind), as: UTF8.self)
    }

    @Test func aViewHasNoColoursWhereTheCharactersThatShowTwoAreMissing() {
        #expect(rich.viewColorCount == 256)
        #expect(TerminalKind(colorCount: 256, isASCII: true, entering: "", leaving: "").viewColorCount == 0)
    }

    @Test func whatIsTheSameIsNotWritten() {
        var grid = CellGrid(columnCount: 20, rowCount: 3)
        grid.put("Reverb", column: 2, row: 1)
        let former = grid
        #expect(text(grid, after: former, rich).isEmpty)
        grid.put("o", column: 7, row: 1)
        #expect(text(grid, after: former, rich) == "\u{1B}[2;8H\u{1B}[0mo")
        // After another size all is written anew.
        #expect(text(grid, after: CellGrid(columnCount: 9, rowCount: 3), rich).hasPrefix("\u{1B}[0m\u{1B}[2J"))
    }

    @Test func coloursAreThoseOfTheTerminal() {
        var grid = CellGrid(columnCount: 3, rowCount: 1)
        grid.put("x", column: 0, row: 0, CellStyle(foreground: .rgb(255, 0, 0), background: .blue, [.bold]))
        func code(_ count: Int) -> String {
            text(
                grid, after: CellGrid(columnCount: 3, rowCount: 1),
                TerminalKind(colorCount: count, isASCII: false, entering: "", leaving: ""))
        }
        #expect(code(1 << 24) == "\u{1B}[1;1H\u{1B}[0;1;38;2;255;0;0;44mx")
        #expect(code(256) == "\u{1B}[1;1H\u{1B}[0;1;38;5;196;44mx")
        #expect(code(8) == "\u{1B}[1;1H\u{1B}[0;1;31;44mx")
        #expect(code(0) == "\u{1B}[1;1H\u{1B}[0;1mx")
    }

    @Test func behindACharacterOfUnsureWidthTheCursorIsPlacedAnew() {
        var grid = CellGrid(columnCount: 8, rowCount: 1)
        grid.put("漢ab", column: 0, row: 0)
        #expect(text(grid, after: CellGrid(columnCount: 8, rowCount: 1), rich) == "\u{1B}[1;1H\u{1B}[0m漢\u{1B}[1;3Hab")
    }

    @Test func asciiIsAllThatATerminalWithoutOtherCharactersGets() {
        var bench = ScreenBench()
        _ = bench.press(.character("?"))
        let kind = TerminalKind(colorCount: 0, isASCII: true, entering: "", leaving: "")
        #expect(CellWriter.bytes(for: bench.grid, after: nil, on: kind).allSatisfy { $0 < 0x80 })
    }
}
