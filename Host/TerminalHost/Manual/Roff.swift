// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text and markup in the macros of man(7), for groff and mandoc. Any thread.

/// Text of a manual page.
enum Roff {
    /// Plain replacements for characters that a terminal may be unable to show.
    private static let replacements: [Unicode.Scalar: String] = [
        "\\": "\\e", "…": "...", "→": "\\->", "≤": "<=", "≥": ">=", "−": "\\-", "–": "\\(en", "—": "\\(em", "×": "\\(mu",
        "µ": "\\(mc", "“": "\\(lq", "”": "\\(rq", "’": "\\(cq", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga",
    ]

    /// The text with escapes for roff.
    ///
    /// In code, hyphens are characters that can be copied, and quotation marks are straight.
    static func escaped(_ text: String, isCode: Bool = false) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            // Between letters it is a hyphen; elsewhere it begins an option or is a minus sign.
            if scalar == "-" {
                result += isCode || !last.properties.isAlphabetic ? "\\-" : "-"
            } else if isCode, scalar == "'" {
                result += "\\(aq"
            } else if let replacement = replacements[scalar] {
                result += replacement
            } else if scalar.isASCII {
                result.unicodeScalars.append(scalar)
            } else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)]"
            }
            last = scalar
        }
        return result
    }

    /// A line of text, which roff must not take for a request.
    static func line(_ escaped: String) -> String {
        escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }

    /// An argument of a macro.
    static func argument(_ text: String) -> String { "\"\(escaped(text).split(separator: "\"").joined(separator: "\\(dq"))\"" }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text, isCode: true))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text, isCode: true))\\fR" }

    /// A paragraph with its code in bold, in lines that roff joins.
    static func paragraph(_ text: String) -> String {
        let pieces = Markup.spans(of: text).map { span in
            switch span {
            case .text(let text): escaped(text)
            case .code(let text): bold(text)
            }
        }
        return PlainText.wrapped(pieces.joined()).map(line).joined(separator: "\n")
    }

    /// The arguments of a command, wrapped.
    static func synopsis(_ text: String) -> String {
        PlainText.wrapped(escaped(text, isCode: true)).map(line).joined(separator: "\n")
    }

    static func section(_ title: String) -> String { ".SH \(argument(title.uppercased()))" }

    /// Lines that keep their form.
    static func literal(_ lines: [String]) -> [String] {
        [".PP", ".RS 4", ".nf"] + lines.map { $0.isEmpty ? "\\&" : line(escaped($0, isCode: true)) } + [".fi", ".RE"]
    }

    /// The blocks of a text.
    ///
    /// Titles are left out, because a page has its name.
    static func lines(of markup: Markup) -> [String] {
        markup.blocks.flatMap { block -> [String] in
            switch block {
            case .title: []
            case .section(let title): [section(title)]
            case .paragraph(let text): [".PP", paragraph(text)]
            case .bullets(let items): items.flatMap { [".IP \\(bu 2", paragraph($0)] }
            case .literal(let lines): literal(lines)
            }
        }
    }
}
