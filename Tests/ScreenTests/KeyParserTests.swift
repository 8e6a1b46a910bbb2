// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bytes of a terminal as keys: sequences whole and in parts, and nonsense. Test thread.

import Cells
import TestSupport
import Testing

@testable import Screen

@Suite struct KeyParserTests {
    private func keys(_ text: String) -> [ScreenKey] {
        var parser = KeyParser()
        return parser.take(text.utf8) + parser.settle()
    }

    @Test func keysOfAllUsualTerminalsAreKnown() {
        #expect(
            keys("a\u{1B}[A\u{1B}OB\u{1B}[1;2D\u{1B}[3~\u{1B}[Z\r\u{7F}\u{12}") == [
                .character("a"), .up, .down, .shiftLeft, .delete, .backTab, .enter, .backspace, .control("r"),
            ])
        #expect(keys("é漢🎛") == [.character("é"), .character("漢"), .character("🎛")])
        #expect(keys("\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}OH\u{1B}[F") == [.home, .end, .pageUp, .pageDown, .home, .end])
    }

    @Test func aSequenceThatComesInPartsIsOneKey() {
        var parser = KeyParser()
        var found: [ScreenKey] = []
        for byte in "\u{1B}[<0;12;5M\u{1B}[1;2C漢".utf8 { found += parser.take([byte]) }
        #expect(found == [.mouse(ScreenMouse(.press, column: 11, row: 4)), .shiftRight, .character("漢")])
    }

    @Test func escapeAloneIsAKeyOnceNothingFollows() {
        var parser = KeyParser()
        #expect(parser.take([0x1B]).isEmpty && parser.isWaiting)
        #expect(parser.settle() == [.escape] && !parser.isWaiting)
        #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
    }

    @Test func answersOfTheTerminalAreNoKeysWheneverTheyCome() {
        var parser = KeyParser()
        #expect(parser.take("a\u{1B}[?6".utf8) == [.character("a")] && !parser.answers.isComplete)
        // A pause makes no key of the first part.
        #expect(parser.settle().isEmpty)
        #expect(parser.take("2;9;4;22cb\u{1B}[6;20;10t\u{1B}[?1;0;16S".utf8) == [.character("b")])
        #expect(parser.answers.colorCount == 16)
        #expect(parser.answers.hasSixels && parser.answers.isComplete && parser.answers.cell == PixelSize(width: 10, height: 20))
        parser = KeyParser()
        // 4 alone is the kind of the terminal; the others are not answers to what is asked.
        for answer in ["[?4c", "[>62;4;0c", "[62;4c", "[6;0;10t", "[6;5000;10t", "[8;24;80t", "[?1;3;0S", "[?2;0;800;480S"] {
            #expect(parser.take("\u{1B}\(answer)".utf8).isEmpty)
        }
        #expect(parser.answers.isComplete && !parser.answers.hasSixels)
        #expect(parser.answers.cell == .none && parser.answers.colorCount == 256)
        // What never ends is dropped.
        _ = parser.take("\u{1B}[?".utf8 + [UInt8](repeating: 0x30, count: 100))
        #expect(parser.take("x".utf8) == [.character("x")])
    }

    @Test func reportsWhetherAllIsWellAreCountedEvenInParts() {
        var parser = KeyParser()
        #expect(parser.take("a\u{1B}[0n\u{1B}[".utf8) == [.character("a")])
        #expect(parser.settle().isEmpty)
        #expect(parser.take("0nb\u{1B}[3n\u{1B}[n".utf8) == [.character("b")])
        // 3 is a malfunction, and an answer all the same.
        #expect(parser.takeReportCount() == 4 && parser.takeReportCount() == 0)
        // An answer is no part of what is pasted.
        #expect(parser.take("\u{1B}[200~a\u{1B}[0nb\u{1B}[201~".utf8) == [.paste("ab")] && parser.takeReportCount() == 1)
    }

    @Test func theMouseIsReadWithItsWheelAndDrags() {
        #expect(
            keys("\u{1B}[<0;1;1M\u{1B}[<32;3;1M\u{1B}[<0;3;1m\u{1B}[<64;3;2M\u{1B}[<65;3;2M\u{1B}[<2;3;2M") == [
                .mouse(ScreenMouse(.press, column: 0, row: 0)), .mouse(ScreenMouse(.drag, column: 2, row: 0)),
                .mouse(ScreenMouse(.release, column: 2, row: 0)), .mouse(ScreenMouse(.wheelUp, column: 2, row: 1)),
                .mouse(ScreenMouse(.wheelDown, column: 2, row: 1)),
            ])
    }

    @Test func pastedTextIsNoCommands() {
        #expect(keys("\u{1B}[200~xq\n\u{1B}[A\u{1B}[201~b") == [.paste("xq\n\u{1B}[A"), .character("b")])
    }

    @Test func anyBytesAreTakenWithoutATrapAndLeaveNoFlood() {
        var random = Seed()
        for _ in 0..<300 {
            var parser = KeyParser()
            for _ in 0..<40 {
                let pieces: [[UInt8]] = [
                    Array("\u{1B}[".utf8), Array("\u{1B}[<".utf8), Array("9999999999999;".utf8), Array("\u{1B}[200~".utf8),
                    [.random(in: 0...255, using: &random)], [.random(in: 0...255, using: &random), 0x4D],
                ]
                _ = parser.take(pieces[Int.random(in: 0..<pieces.count, using: &random)])
            }
            _ = parser.settle()
            #expect(parser.take("\u{1B}[201~\u{1B}[201~zz".utf8).contains(.character("z")))
        }
    }
}
