// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Text in colours, and text that must not wrap. Any thread.

import Printing

/// Text whose colours are values.
///
/// It holds no control characters: those in its source texts are replaced, including line feeds. So a name of a plug-in or file
/// can change neither the terminal nor the width of a column, and fills one line.
package struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
    private enum Style: String {
        case plain = ""
        case red = "\u{1B}[31m"
        case green = "\u{1B}[32m"
    }

    private struct Run: Hashable {
        let style: Style
        var text: String
    }

    private var runs: [Run]

    /// Neighbours of one style are one run, so that equal texts are equal.
    private init(_ runs: [Run]) {
        self.runs = runs.reduce(into: []) { all, run in
            guard !run.text.isEmpty else { return }
            if all.last?.style == run.style { all[all.count - 1].text += run.text } else { all.append(run) }
        }
    }

    /// Makes plain text.
    package init(_ text: some StringProtocol) { self.init([Run(style: .plain, text: PrintableText.shown(String(text)))]) }

    package init(stringLiteral text: String) { self.init(text) }

    package static func red(_ text: String) -> StyledText { StyledText([Run(style: .red, text: PrintableText.shown(text))]) }
    package static func green(_ text: String) -> StyledText { StyledText([Run(style: .green, text: PrintableText.shown(text))]) }
    /// Red on a terminal, plain in a pipe or a file.
    package static func alarming(_ text: String) -> StyledText { Terminal.isInteractive ? red(text) : StyledText(text) }

    package static func + (left: StyledText, right: StyledText) -> StyledText { StyledText(left.runs + right.runs) }

    /// Cuts after `width` visible characters.
    package func cut(to width: Int) -> StyledText {
        var left = max(0, width)
        var kept: [Run] = []
        for run in runs where left > 0 {
            kept.append(Run(style: run.style, text: String(run.text.prefix(left))))
            left -= min(left, run.text.count)
        }
        return StyledText(kept)
    }

    /// The number of visible characters.
    package var visibleCount: Int {
        // Plain ASCII takes the fast path, without grapheme clusters.
        runs.reduce(0) { $0 + ($1.text.utf8.allSatisfy { $0 < 0x80 } ? $1.text.utf8.count : $1.text.count) }
    }

    package var isEmpty: Bool { runs.isEmpty }

    /// The text for a terminal, with its escape sequences.
    var escaped: String {
        runs.map { $0.style == .plain || Terminal.isColourless ? $0.text : $0.style.rawValue + $0.text + "\u{1B}[0m" }.joined()
    }

    /// The text without its colours.
    package var plain: String { runs.map(\.text).joined() }
}

extension StyledText {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = StyledText([])

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text = text + StyledText(literal) }
        package mutating func appendInterpolation(_ styled: StyledText) { text = text + styled }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text = text + StyledText(value.description)
        }
    }

    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }
}

extension [StyledText] {
    /// Joins all texts to one, with the separator between them.
    package func joined(separator: String) -> StyledText {
        guard let first else { return "" }
        return dropFirst().reduce(first) { $0 + StyledText(separator) + $1 }
    }
}
