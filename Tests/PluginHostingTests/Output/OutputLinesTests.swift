// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What becomes of the bytes that a plug-in prints.

import Testing

@testable import PluginHosting

@Suite struct OutputLinesTests {
    private static let second: UInt64 = 1_000_000_000

    private func take(_ lines: inout OutputLines, _ bytes: [UInt8], now: UInt64 = 0) -> [String] {
        bytes.withUnsafeBytes { lines.take($0, now: now) }.map(\.description)
    }

    private func shown(_ text: String) -> [String] {
        var lines = OutputLines(of: "Reverb", now: 0)
        return take(&lines, Array(text.utf8)) + lines.takeDue(now: 0, isOver: true).map(\.description)
    }

    @Test func eachLineNamesItsPlugIn() {
        #expect(shown("Hello,\nworld.\r\n\n \nno end") == ["Reverb: Hello,", "Reverb: world.", "Reverb: no end"])
    }

    @Test(arguments: [
        "\u{1B}]0;title\u{07}", "\u{1B}[2J", "\u{9B}2J", "\u{202E}", "\u{2066}", "\u{2028}", "\u{E0041}", "\u{7F}", "\r", "\0",
    ])
    func whatSteersATerminalIsReplaced(hostile: String) throws {
        let line = try #require(shown("a\(hostile)b\n").first)
        #expect(line.hasPrefix("Reverb: a ") && line.hasSuffix("b") && shown("a\(hostile)b\n").count == 1)
        #expect(line.unicodeScalars.allSatisfy { !hostile.unicodeScalars.contains($0) || $0.value >= 0x20 && $0.value < 0x7F })
    }

    @Test func aNameIsCleanedToo() {
        var lines = OutputLines(of: "Re\u{1B}[2Jverb\n", now: 0)
        #expect(take(&lines, Array("x\n".utf8)) == ["Re [2Jverb : x"])
    }

    @Test func bytesThatAreNotTextAreReplaced() {
        var lines = OutputLines(of: "Reverb", now: 0)
        #expect(take(&lines, [0x61, 0xFF, 0xC3, 0x0A]) == ["Reverb: a\u{FFFD}\u{FFFD}"])
    }

    @Test(arguments: [501, 1000, 2001, 5000, 100_000]) func aLongLineIsCutAndItsRestIsCounted(length: Int) throws {
        let lines = shown(String(repeating: "x", count: length) + "\nnext\n")
        #expect(lines.count == 3)
        #expect(lines[0] == "Reverb: " + String(repeating: "x", count: 500) + "…")
        #expect(
            lines[1] == "Reverb: next" && lines[2].hasPrefix("Reverb wrote ") && lines[2].hasSuffix(" more, which is left out."))
    }

    @Test func aLineInPiecesIsOneLine() {
        var lines = OutputLines(of: "Reverb", now: 0)
        #expect(take(&lines, Array("Gr\u{F6}".utf8.dropLast())).isEmpty)
        #expect(take(&lines, [0xB6, 0xC3, 0x9F] + Array("e\n".utf8)) == ["Reverb: Größe"])
    }

    @Test func aLineWithoutAnEndIsShownAfterAWhile() {
        var lines = OutputLines(of: "Reverb", now: 0)
        #expect(take(&lines, Array("Loading".utf8), now: 5).isEmpty)
        #expect(lines.due == 5 + OutputLines.patience)
        #expect(lines.takeDue(now: OutputLines.patience).isEmpty)
        #expect(lines.takeDue(now: 5 + OutputLines.patience).map(\.description) == ["Reverb: Loading"])
        #expect(lines.due == nil && take(&lines, Array(" done\n".utf8)) == ["Reverb:  done"])
    }

    @Test func whatIsTooMuchIsCountedAndToldInOneLine() {
        var lines = OutputLines(of: "Reverb", now: 0)
        let line = Array((String(repeating: "x", count: 99) + "\n").utf8)
        var byteCount = 0
        for _ in 0..<100_000 { byteCount += take(&lines, line).reduce(0) { $0 + $1.utf8.count } }
        #expect(byteCount <= OutputAllowance.burst && byteCount > OutputAllowance.burst / 2)
        #expect(lines.takeDue(now: OutputLines.noticeDelay - 1).isEmpty)
        let notices = lines.takeDue(now: OutputLines.noticeDelay)
        #expect(notices.count == 1 && notices[0].description == "Reverb wrote 9.9 MB more, which is left out.")
        // Time brings room for new lines.
        #expect(take(&lines, line, now: Self.second).count == 1)
    }

    /// Lines without content cost the host time, so there is an end to them, too.
    @Test func emptyLinesAreTooMuchAtSomeTime() {
        var lines = OutputLines(of: "Reverb", now: 0)
        #expect(take(&lines, [UInt8](repeating: 0x0A, count: OutputAllowance.burst)).isEmpty && !lines.isTooMuch)
        #expect(take(&lines, [0x0A, 0x0A]).isEmpty && lines.isTooMuch)
    }
}
