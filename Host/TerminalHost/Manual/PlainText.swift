// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Markup and tables of options as plain text, for help on a terminal. Any thread.

import Console

/// Text in lines that fit on a narrow terminal.
enum PlainText {
    static let width = 80

    /// Wraps a text into lines of at most `width` characters.
    ///
    /// A longer word has a line of its own.
    static func wrapped(_ text: String, to width: Int = width, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [margin + line]
    }

    /// The text without the marks of its markup.
    static func lines(of markup: Markup) -> [String] {
        markup.blocks.enumerated().flatMap { index, block -> [String] in
            (index > 0 ? [""] : []) + lines(of: block)
        }
    }

    private static func lines(of block: Markup.Block) -> [String] {
        switch block {
        case .title(let text), .section(let text): [text]
        case .paragraph(let text): wrapped(plain(text))
        case .literal(let lines): lines.map { $0.isEmpty ? "" : "    \($0)" }
        case .bullets(let items):
            items.flatMap { item in
                let lines = wrapped(plain(item), indent: 2)
                return ["- \(lines.first?.dropFirst(2) ?? "")"] + lines.dropFirst()
            }
        }
    }

    private static func plain(_ text: String) -> String {
        Markup.spans(of: text).map { span in
            switch span {
            case .text(let text), .code(let text): text
            }
        }.joined()
    }

    /// Rows with names on the left, and a text on the right that wraps in its column.
    static func columns(_ rows: [(left: String, right: String)], widest: Int = 24) -> [String] {
        let column = min(widest, rows.map(\.left.count).max() ?? 0) + 4
        return rows.flatMap { row -> [String] in
            let lines = wrapped(row.right, indent: column)
            guard row.left.count + 4 <= column, let first = lines.first else { return ["  \(row.left)"] + lines }
            return ["  \(row.left)".padded(to: column) + first.dropFirst(column)] + lines.dropFirst()
        }
    }
}
