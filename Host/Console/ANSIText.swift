// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Colours, and text that must not wrap. Any thread.

/// Text with escape sequences in it.
package enum ANSIText {
    package static func red(_ text: String) -> String { "\u{1B}[31m\(text)\u{1B}[0m" }
    /// Red on a terminal, plain in a pipe or a file.
    package static func alarming(_ text: String) -> String { Terminal.isInteractive ? red(text) : text }
    package static func green(_ text: String) -> String { "\u{1B}[32m\(text)\u{1B}[0m" }

    /// Cuts after `width` visible characters; escape sequences are not counted.
    package static func cut(_ text: String, to width: Int) -> String {
        var visible = 0
        var isEscape = false
        var result = ""
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape {
                visible += 1
                if visible > width { continue }
            }
            result.append(character)
            if isEscape, character == "m" { isEscape = false }
        }
        return result
    }

    /// The number of visible characters.
    package static func visibleCount(of text: String) -> Int {
        var count = 0
        var isEscape = false
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { count += 1 }
            if isEscape, character == "m" { isEscape = false }
        }
        return count
    }
}
