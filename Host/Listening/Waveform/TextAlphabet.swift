// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The characters that a terminal can show. Control thread.

import Glibc

/// The characters for pictures.
package enum TextAlphabet: Sendable {
    /// Braille patterns, eight dots a cell.
    case braille
    /// Only printable ASCII.
    case ascii

    /// `[any]` Braille if the variables name a UTF-8 locale.
    ///
    /// The order is that of POSIX: `LC_ALL`, `LC_CTYPE`, `LANG`; the first nonempty one counts.
    package static func forLocale(_ variable: (String) -> String? = environmentVariable) -> TextAlphabet {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8") ? .braille : .ascii
    }

    /// `[any]` A variable of this process's environment.
    package static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
