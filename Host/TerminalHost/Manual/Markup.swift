// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The small markup of help texts and of the manual's topics. Any thread.

/// Text in blocks: `# Title`, `## Section`, paragraphs, `- ` bullets, literal lines after four spaces, and `code` in backticks.
struct Markup: Equatable {
    enum Block: Equatable {
        case title(String)
        case section(String)
        case paragraph(String)
        case bullets([String])
        case literal([String])
    }

    private(set) var blocks: [Block] = []

    /// Text outside this markup, such as a table.
    struct Unsupported: Error, Equatable, CustomStringConvertible {
        let line: Int
        let text: String

        var description: String { "line \(line): the manual's markup has no \"\(text)\"" }
    }

    /// Makes the blocks of a text with correct markup.
    init(trusted text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { add(String(line)) }
        endLiteral()
    }

    init(_ text: String) throws(Unsupported) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line)
            for mark in ["###", "```", "|", "* ", "> ", "1. ", "<"] where line.hasPrefix(mark) {
                throw Unsupported(line: index + 1, text: mark)
            }
            add(line)
        }
        endLiteral()
    }

    /// True if the next line begins a block.
    private var isBetweenBlocks = true

    private mutating func add(_ line: String) {
        let text = String(line.drop { $0 == " " })
        if text.isEmpty {
            if case .literal(let lines)? = blocks.last, !isBetweenBlocks {
                replaceLast(.literal(lines + [""]))
            } else {
                isBetweenBlocks = true
            }
            return
        }
        if line.hasPrefix("    ") { return addLiteral(String(line.dropFirst(4))) }
        if case .literal? = blocks.last { isBetweenBlocks = true }
        if line.hasPrefix("## ") { return begin(.section(String(line.dropFirst(3))), isOpen: false) }
        if line.hasPrefix("# ") { return begin(.title(String(line.dropFirst(2))), isOpen: false) }
        if line.hasPrefix("- ") { return addBullet(String(line.dropFirst(2))) }
        switch blocks.last {
        case .paragraph(let known)? where !isBetweenBlocks: replaceLast(.paragraph("\(known) \(text)"))
        case .bullets(let items)? where !isBetweenBlocks:
            replaceLast(.bullets(items.dropLast() + ["\(items[items.count - 1]) \(text)"]))
        default: begin(.paragraph(text))
        }
    }

    private mutating func addLiteral(_ line: String) {
        if case .literal(let lines)? = blocks.last { replaceLast(.literal(lines + [line])) } else { begin(.literal([line])) }
        isBetweenBlocks = false
    }

    private mutating func addBullet(_ text: String) {
        if case .bullets(let items)? = blocks.last { replaceLast(.bullets(items + [text])) } else { begin(.bullets([text])) }
        isBetweenBlocks = false
    }

    /// Ends a literal block, without the empty lines after it.
    private mutating func endLiteral() {
        guard case .literal(let lines)? = blocks.last, let end = lines.lastIndex(where: { !$0.isEmpty }) else { return }
        replaceLast(.literal(Array(lines[...end])))
    }

    private mutating func begin(_ block: Block, isOpen: Bool = true) {
        endLiteral()
        blocks.append(block)
        isBetweenBlocks = !isOpen
    }

    private mutating func replaceLast(_ block: Block) { blocks[blocks.count - 1] = block }

    static func == (left: Markup, right: Markup) -> Bool { left.blocks == right.blocks }
}

extension Markup {
    /// A piece of a paragraph.
    enum Span: Equatable {
        case text(String)
        case code(String)
    }

    /// The pieces of a paragraph.
    ///
    /// A backtick without a partner is a backtick.
    static func spans(of text: String) -> [Span] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        let isOdd = parts.count.isMultiple(of: 2)
        var spans: [Span] = []
        for (index, part) in parts.enumerated() {
            if isOdd, index == parts.count - 1 {
                spans.append(.text("`\(part)"))
            } else if !part.isEmpty {
                spans.append(index.isMultiple(of: 2) ? .text(part) : .code(part))
            }
        }
        return spans
    }
}
