// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text without control characters, which looks like what it is. Any thread.

/// Checks on text from outside.
package enum PrintableText {
    /// Whether it has no control characters and none that change how its neighbours are shown.
    package static func isPrintable(_ text: String) -> Bool {
        // The quick way, for ASCII.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return true }
        return text.unicodeScalars.allSatisfy(isPrintable)
    }

    /// At most `limit` characters, those that cannot be printed as spaces.
    package static func cleaned(_ text: String, limit: Int = 1024) -> String {
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: text.unicodeScalars.prefix(limit).map { isPrintable($0) ? $0 : " " })
        return String(cleaned) + (text.unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")
    }

    /// Bytes that are not UTF-8 as replacement characters.
    static func repaired(_ name: UnsafePointer<CChar>) -> String { String(cString: name) }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
