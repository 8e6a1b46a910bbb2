// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ASCII substitute of a character, for terminals that show only ASCII. Any thread.

extension Cell {
    /// The nearest ASCII character, such as + for a corner and # for a full block.
    public var ascii: UInt8 {
        switch codePoint {
        case 0: 0x20
        case 0x20..<0x7F: UInt8(codePoint)
        case 0x2500...0x257F: line
        case 0x2588...0x258B: UInt8(ascii: "#")
        case 0x258C...0x258D: UInt8(ascii: "=")
        case 0x258E...0x258F: UInt8(ascii: "-")
        case 0x2580...0x259F: UInt8(ascii: "#")
        case 0x2800: 0x20
        case 0x2801...0x28FF: dots
        default: Self.letters[codePoint] ?? UInt8(ascii: "?")
        }
    }

    private var line: UInt8 {
        switch codePoint {
        case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2550, 0x2574, 0x2576, 0x2578, 0x257A, 0x257C, 0x257E:
            UInt8(ascii: "-")
        case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577, 0x2579, 0x257B, 0x257D, 0x257F:
            UInt8(ascii: "|")
        default: UInt8(ascii: "+")
        }
    }

    /// The substitute for a braille pattern: more dots give a darker character.
    private var dots: UInt8 {
        let count = (codePoint & 0xFF).nonzeroBitCount
        return count < 3 ? UInt8(ascii: ".") : count < 6 ? UInt8(ascii: ":") : UInt8(ascii: "#")
    }

    private static let letters: [UInt32: UInt8] = {
        var letters: [UInt32: UInt8] = [:]
        let pairs: [(String, String)] = [
            ("·•∙", "..."), ("…", "."), ("▲△", "^^"), ("▼▽", "vv"), ("▶▸►→", ">>>>"), ("◀◂◄←", "<<<<"), ("↑", "^"), ("↓", "v"),
            ("●◆■", "***"),
            ("○◇□", "ooo"), ("✓✔", "++"), ("✗✘×", "xxx"), ("–—−", "---"), ("‘’", "''"), ("“”„", "\"\"\""), ("⏎↵", "<<"),
            ("µμ", "uu"),
            ("ÀÁÂÃÄÅ", "AAAAAA"), ("àáâãäå", "aaaaaa"), ("ÈÉÊË", "EEEE"), ("èéêë", "eeee"), ("ÌÍÎÏ", "IIII"), ("ìíîï", "iiii"),
            ("ÒÓÔÕÖØ", "OOOOOO"), ("òóôõöø", "oooooo"), ("ÙÚÛÜ", "UUUU"), ("ùúûü", "uuuu"), ("ÇçÑñßŁłŚśŠšŽž", "CcNnsLlSsSsZz"),
            ("\u{A0}", " "), ("°", "o"), ("±", "~"),
        ]
        for (from, to) in pairs {
            for (character, ascii) in zip(from.unicodeScalars, to.utf8) { letters[character.value] = ascii }
        }
        return letters
    }()
}
