// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The characters that a cell may hold, and their widths in columns. Any thread.

/// Checks on characters.
public enum CellCharacter {
    /// The substitute for a character that is not shown.
    public static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// True if the character has a width, and neither controls a terminal nor changes its neighbours.
    public static func isPrintable(_ character: Unicode.Scalar) -> Bool {
        if character.value < 0x7F { return character.value >= 0x20 }
        if character.value >= 0x300, joins(character.value) { return false }
        switch character.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return false
        case .nonspacingMark, .enclosingMark, .spacingMark: return false
        default: return true
        }
    }

    /// True if terminals join the character with its neighbours, hide it, or write it from right to left.
    private static func joins(_ codePoint: UInt32) -> Bool {
        // Lines, blocks and dots, which make up most pictures, are never joined.
        !(0x2000..<0x3000).contains(codePoint) && joining.contains { $0.contains(codePoint) }
    }

    /// The grapheme joiner, halves of Hangul and their fillers, selectors, right-to-left scripts, the half-wide filler, pairs
    /// of letters that make flags, and skin tones.
    private static let joining: [ClosedRange<UInt32>] = [
        0x034F...0x034F, 0x0590...0x08FF, 0x115F...0x11FF, 0x180B...0x180F, 0x3164...0x3164, 0xD7B0...0xD7FF, 0xFB1D...0xFDFF,
        0xFE70...0xFEFF, 0xFFA0...0xFFA0, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF,
    ]

    /// True if the character is a combining mark that a cell can hold.
    ///
    /// Variation selectors do not count: they change the width of the character before them.
    public static func isMark(_ character: Unicode.Scalar) -> Bool {
        guard character.value >= 0x300, character.value < 0xFE00, !joins(character.value) else { return false }
        return character.properties.generalCategory == .nonspacingMark
    }

    /// The columns that a printable character takes: 1 or 2.
    public static func width(of character: Unicode.Scalar) -> Int {
        guard character.value >= 0x1100 else { return 1 }
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < character.value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(character.value) ? 2 : 1
    }

    /// True if all terminals agree on the width; after other characters the cursor is set anew.
    public static func hasSureWidth(_ codePoint: UInt32) -> Bool {
        codePoint < 0x300 || (0x370..<0x530).contains(codePoint) || (0x2010..<0x2060).contains(codePoint)
            || (0x2190..<0x2200).contains(codePoint) || (0x2500..<0x25A0).contains(codePoint)
            || (0x2800..<0x2900).contains(codePoint)
    }

    /// East Asian wide characters and emoji, in order.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
        0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE,
        0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA,
        0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755,
        0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55,
        0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C,
        0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
        0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2,
        0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0,
        0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
