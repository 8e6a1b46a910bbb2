// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which foreign texts may be shown. Test thread.

import Printing
import Testing

@Suite struct PrintableTextTests {
    @Test(arguments: ["Gain", "Größe – 音量", "a=b/c.d", ""]) func whatLooksLikeWhatItIsMayBeShown(text: String) {
        #expect(PrintableText.isPrintable(text) && PrintableText.cleaned(text) == text && PrintableText.shown(text) == text)
        #expect(PrintableText.escaped(json: text) == text)
    }

    /// One rule holds for scans, manifests, saved chains, and all that is printed.
    @Test(arguments: ["a\u{1B}[2Jb", "a\u{202E}b", "a\u{2028}b", "a\u{2067}b", "a\nb", "a\u{9B}b", "a\u{E0041}b", "a\u{7F}b"])
    func whatSteersATerminalOrTurnsItsNeighboursRoundMayNot(text: String) {
        #expect(!PrintableText.isPrintable(text))
        #expect(PrintableText.isPrintable(PrintableText.cleaned(text)))
        let shown = PrintableText.shown(text)
        #expect(PrintableText.isPrintable(shown) && shown.unicodeScalars.count == text.unicodeScalars.count)
        #expect(shown.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test func whatIsKeptStays() { #expect(PrintableText.shown("a\nb\tc\r", keeping: ["\n"]) == "a\nb\u{FFFD}c\u{FFFD}") }

    @Test func jsonHoldsTheSameInPrintableCharacters() {
        let escaped = PrintableText.escaped(json: "{\n\"a\u{9B}\": \"\u{202E}ü\u{E0041}\u{7F}\"}")
        #expect(escaped == "{\n" + #""a\u009b": "\u202eü\udb40\udc41\u007f"}"#)
    }
}
