// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which foreign texts may be shown. Test thread.

import Testing

@testable import PluginHosting

@Suite struct PrintableTextTests {
    @Test(arguments: ["Gain", "Größe – 音量", "a=b/c.d"]) func whatLooksLikeWhatItIsMayBeShown(text: String) {
        #expect(PrintableText.isPrintable(text) && text.isPrintable && PrintableText.cleaned(text) == text)
    }

    /// One rule holds for scans, manifests and saved chains.
    @Test(arguments: ["a\u{1B}[2Jb", "a\u{202E}b", "a\u{2028}b", "a\u{2067}b", "a\nb", "a\u{9B}b"])
    func whatSteersATerminalOrTurnsItsNeighboursRoundMayNot(text: String) {
        #expect(!PrintableText.isPrintable(text) && !text.isPrintable)
        #expect(PrintableText.isPrintable(PrintableText.cleaned(text)))
    }

    @Test func nothingIsNoName() { #expect(!"".isPrintable && PrintableText.isPrintable("")) }
}
