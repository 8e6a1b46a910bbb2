// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The capabilities of the terminal: its colours, its characters, and its set-up. Main thread.

import CTerminalShims
import Glibc

/// The capabilities of a terminal.
package struct TerminalKind: Equatable, Sendable {
    /// The number of colours; 0 for none, 1 << 24 for all.
    package var colorCount: Int
    /// True if it shows only ASCII.
    package var isASCII: Bool
    /// The number of colours for a view: none if the characters with two colours are missing.
    package var viewColorCount: Int { isASCII ? 0 : colorCount }
    /// The bytes for entering the screen, and for leaving it in any state.
    package var entering, leaving: String

    /// Reads the capabilities of the environment's terminal; on failure a sentence gives the reason.
    package static func current(of terminal: Int32) -> Result<TerminalKind, ScreenObstacle> {
        guard let name = environment("TERM") else { return .failure(ScreenObstacle("TERM names no kind of terminal.")) }
        guard CTerminalShims_load(name, terminal) else {
            return .failure(ScreenObstacle("Nothing is known of terminals of the kind \"\(name)\", which TERM names."))
        }
        // If the cursor has other sequences, so has everything else.
        guard text("cup")?.hasPrefix("\u{1B}[%i%p1%d;%p2%dH") == true else {
            return .failure(ScreenObstacle("A terminal of the kind \"\(name)\" cannot place its cursor as the screen needs it."))
        }
        let isColourless = environment("NO_COLOR") != nil
        let isTrue = ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "")
        let count = isColourless ? 0 : isTrue ? 1 << 24 : max(0, Int(CTerminalShims_number("colors")))
        return .success(TerminalKind(colorCount: count, isASCII: !isUTF8, entering: enteringText, leaving: leavingText))
    }

    /// An alternate screen, no cursor, no wrapping at the edge, the mouse with its drags, and marks around pasted text.
    private static var enteringText: String {
        (text("smcup") ?? "") + (text("civis") ?? "") + "\u{1B}[?7l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
    }

    private static var leavingText: String {
        "\u{1B}[0m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?7h" + (text("cnorm") ?? "")
            // The drawing is erased: some terminals have no alternate screen, and tmux keeps rows of a window that has grown.
            + "\u{1B}[H\u{1B}[2J" + (text("rmcup") ?? "")
    }

    /// A capability, without the pauses for old terminals.
    private static func text(_ capability: String) -> String? {
        guard let pointer = CTerminalShims_text(capability) else { return nil }
        return String(cString: pointer).replacing(/$<[0-9.*\/]+>/, with: "")
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
    }

    /// True if the user's characters are UTF-8, by the first of these variables that is set.
    private static var isUTF8: Bool {
        let locale = (environment("LC_ALL") ?? environment("LC_CTYPE") ?? environment("LANG") ?? "C").lowercased()
        return locale.contains("utf-8") || locale.contains("utf8")
    }
}

/// The reason why there can be no screen, in a sentence.
package struct ScreenObstacle: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
