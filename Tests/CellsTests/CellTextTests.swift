// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text as cells: what is cleaned, how wide it is, and where it is cut. Test thread.

import Testing

@testable import Cells

@Suite struct CellTextTests {
    private func shown(_ text: String, width: Int = 40) -> String {
        var grid = CellGrid(columnCount: width, rowCount: 1)
        grid.put(text, column: 0, row: 0)
        return grid.text
    }

    @Test func aCellHasSixteenBytesWithoutPointers() {
        #expect(MemoryLayout<Cell>.size == 16 && MemoryLayout<Cell>.stride == 16)
    }

    @Test func charactersThatSteerATerminalBecomeReplacements() {
        for character in ["\u{1B}", "\u{7}", "\u{9B}", "\n", "\u{7F}", "\u{202E}", "\u{2066}", "\u{200D}", "\u{2028}", "\u{E000}"] {
            #expect(shown("a\(character)b") == "a\u{FFFD}b")
        }
    }

    @Test func whatJoinsItsNeighboursOrRunsFromRightToLeftIsReplaced() {
        let characters: [Unicode.Scalar] = [
            "\u{1160}", "\u{11A8}", "\u{3164}", "\u{1F1E9}", "\u{1F3FB}", "\u{0903}", "\u{5D0}", "\u{627}", "\u{FDFA}", "\u{1E900}",
        ]
        for character in characters { #expect(!CellCharacter.isPrintable(character), "U+\(String(character.value, radix: 16))") }
        for mark in ["\u{34F}", "\u{180B}", "\u{5B0}"] as [Unicode.Scalar] { #expect(!CellCharacter.isMark(mark)) }
        for character in "é漢한Жα─█⣿🎛" { #expect(character.unicodeScalars.allSatisfy { CellCharacter.isPrintable($0) }) }
    }

    @Test func ofAFloodOfCombiningMarksOneIsKept() {
        #expect(shown("e" + String(repeating: "\u{301}", count: 500) + "x").unicodeScalars.map(\.value) == [0x65, 0x301, 0x78])
        #expect(shown("\u{301}x") == "x")
        #expect(shown("a\u{FE0F}b") == "ab")
    }

    @Test func wideCharactersTakeTwoColumnsAndAreNeverHalved() {
        #expect(CellText("漢字").width == 4 && CellText("🎛x").width == 2 && CellText("🎧").width == 2)
        #expect(shown("漢字音", width: 5) == "漢字…" && shown("漢字音", width: 4) == "漢 …" && shown("漢", width: 1) == "…")
        #expect(shown("漢字音", width: 6) == "漢字音")
    }

    @Test func aLongTextIsCutWithADot() {
        #expect(shown("Reverberation", width: 7) == "Reverb…")
        #expect(shown("Reverb", width: 6) == "Reverb")
        #expect(CellText("abc").cut(to: 0).width == 0)
    }
}
