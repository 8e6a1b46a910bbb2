// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines at the end of the terminal's text that are redrawn in place. Main thread.

/// The last lines on a terminal, redrawn without touching the lines above.
package struct InPlaceLines {
    /// The visible characters of each line on the screen.
    private var shown: [Int] = []

    package init() {}

    /// Replaces the lines.
    ///
    /// Lines that do not fit are omitted, but never the last one.
    package mutating func draw(_ lines: [StyledText]) {
        let width = max(1, Terminal.width - 1)
        let fitting = Self.fit(lines, max(1, Terminal.height - 1)).map { $0.cut(to: width) }
        let text = fitting.map { $0.escaped + "\u{1B}[K" }.joined(separator: "\r\n")
        // Wrapping is off, because the terminal may just have become narrower. The cursor rests at the start of the last line,
        // so that the echo of a key wraps nothing.
        Terminal.send(start + "\u{1B}[?7l" + text + "\u{1B}[?7h\u{1B}[J\r")
        shown = fitting.map(\.visibleCount)
    }

    /// Writes a line that stays.
    ///
    /// The next `draw` puts the lines below it.
    package mutating func say(_ line: StyledText) {
        Terminal.send(start + "\u{1B}[J\(line.escaped)\r\n")
        shown = []
    }

    /// Leaves the lines on the screen and moves the cursor below them.
    package mutating func finish() {
        if !shown.isEmpty { Terminal.send("\r\n") }
        shown = []
    }

    /// Moves to the first column of the first line.
    ///
    /// A terminal that has become narrower has wrapped the lines, so they take more rows.
    private var start: String {
        let width = max(1, Terminal.width)
        let rows = shown.dropLast().reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
        return rows > 0 ? "\r\u{1B}[\(rows)A" : "\r"
    }

    package static func fit(_ lines: [StyledText], _ height: Int) -> [StyledText] {
        guard lines.count > height, let last = lines.last else { return lines }
        guard height > 2 else { return Array(lines.prefix(height)) }
        let kept = height - 2
        return lines.prefix(kept) + ["  and \(lines.count - kept - 1) more"] + [last]
    }
}
