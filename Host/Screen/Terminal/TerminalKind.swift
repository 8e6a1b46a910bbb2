// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the terminal can do: its colours, its characters, and how it is entered and left. Main thread.

import CTerminalShims
import Glibc

/// What kind of terminal it is.
package struct TerminalKind: Equatable, Sendable {
    /// How many colours it has; 0 for none, 1 << 24 for all.
    package var colorCount: Int
    /// Whether it has ASCII alone.
    package var isASCII: Bool
    /// The colours that a view may draw with: none where the characters that show two of them are missing.
    package var viewColorCount: Int { isASCII ? 0 : colorCount }
    /// What is written on entering, and on leaving in whatever state.
    package var entering, leaving: String

    /// Looks at the terminal that the environment names; a sentence says why it cannot show a screen.
    package static func current(of terminal: Int32) -> Result<TerminalKind, ScreenObstacle> {
        guard let name = environment("TERM") else { return .failure(ScreenObstacle("TERM names no kind of terminal.")) }
        guard CTerminalShims_load(name, terminal) else {
            return .failure(ScreenObstacle("Nothing is known of terminals of the kind \"\(name)\", which TERM names."))
        }
        // Where the cursor is placed by other sequences, the rest is another one, too.
        guard text("cup")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dH") == true else {
            return .failure(ScreenObstacle("A terminal of the kind \"\(name)\" cannot place its cursor as the screen needs it."))
        }
        let isColourless = environment("NO_COLOR") != nil
        let isTrue = ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "")
        let count = isColourless ? 0 : isTrue ? 1 << 24 : max(0, Int(CTerminalShims_number("colors")))
        return .success(TerminalKind(colorCount: count, isASCII: !isUTF8, entering: enteringText, leaving: leavingText))
    }

    /// Another screen, no cursor, no wrapping at the edge, the mouse with its drags, and pasted text between marks.
    private static var enteringText: String {
        (text("smcup") ?? "") + (text("civis") ?? "") + "\u{1B}[?7l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
    }

    private static var leavingText: String {
        "\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?7h" + (text("cnorm") ?? "")
            // What was drawn is wiped away: not every terminal has a screen for it alone, and tmux keeps rows of one that has grown.
            + "\u{1B}[H\u{1B}[2J" + (text("rmcup") ?? "")
    }

    /// A capability, without the pauses that terminals of old times need.
    private static func text(_ capability: String) -> String? {
        guard let pointer = CTerminalShims_text(capability) else { return nil }
        return String(cString: pointer).replacing(/$<[0-9.*\/]+>/, with: "")
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    }

    /// Whether the user's characters are UTF-8, as the first of these variables that is set says.
    private static var isUTF8: Bool {
        let locale = (environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? "C").lowercased()
        return locale.contains("utf-8") || locale.contains("utf8")
    }
}

/// Why there can be no screen, in a sentence.
package struct ScreenObstacle: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
