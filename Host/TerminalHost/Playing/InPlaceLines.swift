// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines at the end of the terminal's text that are drawn over again and again. Main thread.

/// What stands last on a terminal, and is drawn anew without anything above it being touched.
struct InPlaceLines {
    /// Visible characters of each line that stands there now.
    private var shown: [Int] = []

    /// Replaces the lines. Those that do not fit on the terminal are left out, the last one excepted.
    mutating func draw(_ lines: [String]) {
        let width = max(1, Terminal.width - 1)
        let fitting = Self.fit(lines, max(1, Terminal.height - 1)).map { ANSIText.cut($0, to: width) }
        let text = fitting.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        // Without wrapping, in case the terminal has become narrower a moment ago. The cursor rests at the beginning
        // of the last line, so that a key's echo wraps nothing either.
        Terminal.write(start + "\u{1B}[?7l" + text + "\u{1B}[?7h\u{1B}[J\r")
        shown = fitting.map(ANSIText.visibleCount)
    }

    /// Writes a line that stays, in the place of the lines, which the next `draw` puts below it.
    mutating func say(_ line: String) {
        Terminal.write(start + "\u{1B}[J\(line)\r\n")
        shown = []
    }

    /// Leaves the lines standing, and the cursor below them.
    mutating func finish() {
        if !shown.isEmpty { Terminal.write("\r\n") }
        shown = []
    }

    /// Moves to the first column of the first line.
    ///
    /// A terminal that has become narrower since has wrapped the lines; they take more rows now.
    private var start: String {
        let width = max(1, Terminal.width)
        let rows = shown.dropLast().reduce(0) { $0 + max(1, ($1 + width - 1) / width) }
        return rows > 0 ? "\r\u{1B}[\(rows)A" : "\r"
    }

    static func fit(_ lines: [String], _ height: Int) -> [String] {
        guard lines.count > height, let last = lines.last else { return lines }
        guard height > 2 else { return Array(lines.prefix(height)) }
        let kept = height - 2
        return lines.prefix(kept) + ["  and \(lines.count - kept - 1) more"] + [last]
    }
}
