// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text without control characters, safe to show. Any thread.

/// Checks on text from outside.
package enum PrintableText {
    /// True if the text has no control characters, and none that change their neighbours.
    package static func isPrintable(_ text: String) -> Bool {
        // The fast path for ASCII.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return true }
        return text.unicodeScalars.allSatisfy(isPrintable)
    }

    /// At most `limit` characters; characters that cannot be printed become spaces.
    package static func cleaned(_ text: String, limit: Int = 1024) -> String {
        var cleaned = String.UnicodeScalarView()
        cleaned.append(contentsOf: text.unicodeScalars.prefix(limit).map { isPrintable($0) ? $0 : " " })
        return String(cleaned) + (text.unicodeScalars.dropFirst(limit).isEmpty ? "" : "…")
    }

    /// The whole text; characters that cannot be printed become U+FFFD, except for those in `kept`.
    package static func shown(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
        guard !isPrintable(text) else { return text }
        var shown = String.UnicodeScalarView()
        shown.append(contentsOf: text.unicodeScalars.lazy.map { isPrintable($0) || kept.contains($0) ? $0 : "\u{FFFD}" })
        return String(shown)
    }

    /// The same JSON; characters that cannot be printed become `\uXXXX`, except for line feeds.
    ///
    /// In JSON such characters occur only in strings, so the values stay the same.
    package static func escaped(json: String) -> String {
        guard !json.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) else { return json }
        return json.unicodeScalars.reduce(into: "") { escaped, scalar in
            guard scalar != "\n", !isPrintable(scalar) else { return escaped.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    /// Replaces bytes that are not UTF-8 by replacement characters.
    package static func repaired(_ name: UnsafePointer<CChar>) -> String { String(cString: name) }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
