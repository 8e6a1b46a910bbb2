// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds lines that may trap, as far as their text shows it: forces, asserted conditions, and unchecked conversions of numbers.

extension SourceFile {
    /// Lines that may trap, and do not say near by why they cannot.
    ///
    /// The reason follows `// Cannot trap:` on the line, or on one of the two lines before it.
    var unexplainedTraps: [String] {
        var isText = false
        return lines.indices.filter { index in
            let line = lines[index]
            defer { if line.tripleQuoteCount % 2 == 1 { isText.toggle() } }
            guard
                line.holds("!") || line.holds("Int") || line.holds("fatalError") || line.holds("recondition")
                    || line.holds("assert")
            else {
                return false
            }
            guard CodeLine(line, isText: isText).mayTrap else { return false }
            return !lines[max(0, index - 2)...index].contains { $0.holds("// Cannot trap: ") }
        }.map { "\(path):\($0 + 1)" }
    }
}

extension Substring {
    fileprivate var tripleQuoteCount: Int {
        let bytes = Array(utf8)
        var (count, place) = (0, 0)
        while place + 2 < bytes.count {
            let isQuote = bytes[place..<place + 3].allSatisfy { $0 == UInt8(ascii: "\"") }
            count += isQuote ? 1 : 0
            place += isQuote ? 3 : 1
        }
        return count
    }
}

/// The code of a line: its texts and comments are spaces, and code between `\(` and `)` in a text is code.
private struct CodeLine {
    private let code: [UInt8]

    /// Reads a line; `isText` is true within a text of several lines.
    init(_ line: Substring, isText: Bool) {
        let bytes = Array(line.utf8)
        var code: [UInt8] = []
        /// The parentheses open in each nested piece of code; nil for a text.
        var nesting: [Int?] = isText ? [0, nil] : [0]
        var place = 0
        func isAt(_ text: StaticString) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return bytes[place...].starts(with: wanted)
        }
        while place < bytes.count {
            let inText = nesting[nesting.count - 1] == nil
            if inText, isAt("\\(") {
                nesting.append(1)
                place += 2
            } else if inText, isAt("\\") {
                place += 2
            } else if isAt("\"\"\"") || isAt("\"") {
                if inText { nesting.removeLast() } else { nesting.append(nil) }
                place += isAt("\"\"\"") ? 3 : 1
            } else if inText {
                place += 1
            } else if isAt("//") {
                break
            } else {
                let depth = (nesting[nesting.count - 1] ?? 0) + (isAt("(") ? 1 : isAt(")") ? -1 : 0)
                nesting[nesting.count - 1] = depth
                if nesting.count > 1, depth == 0 { nesting.removeLast() } else { code.append(bytes[place]) }
                place += 1
                continue
            }
            code.append(UInt8(ascii: " "))
        }
        self.code = code
    }

    /// True if the line may trap.
    var mayTrap: Bool { hasForce || hasAssertion || conversions.contains { $0.mayTrap } }

    /// True for `x!`, `try!` and `as!`, and for a type that is unwrapped by force.
    private var hasForce: Bool {
        code.indices.contains { index in
            guard code[index] == UInt8(ascii: "!"), index > 0 else { return false }
            let follows = index + 1 < code.count ? code[index + 1] : 0
            return follows != UInt8(ascii: "=")
                && (code[index - 1].isOfWord || [0x29, 0x5D, 0x7D, 0x3F, 0x3E].contains(code[index - 1]))
        }
    }

    private var hasAssertion: Bool {
        calls.contains { ["fatalError", "preconditionFailure", "precondition", "assert"].contains($0.name) }
    }

    /// A name in front of a parenthesis, and the text up to the closing one.
    private struct Call {
        let name: String
        let argument: ArraySlice<UInt8>

        /// True for a conversion of a number that is or may be a fraction, with an initializer that traps beyond the type's range.
        var mayTrap: Bool {
            let text = String(decoding: argument, as: UTF8.self)
            if ["exactly:", "clamping:", "truncatingIfNeeded:", "bitPattern:"].contains(where: text.hasPrefix) { return false }
            if text.contains("nearestFrame:") || text.contains(".clamped(") { return false }
            return hasFraction
        }

        private static let functions: Set<String> = [
            "rounded", "Double", "Float", "floor", "ceil", "log", "log2", "log10", "pow", "exp2", "squareRoot",
        ]

        private var hasFraction: Bool {
            let isDecimal = argument.indices.dropLast(2).contains { index in
                argument[index].isDigit && argument[index + 1] == UInt8(ascii: ".") && argument[index + 2].isDigit
            }
            if isDecimal || CodeLine(argument).calls.contains(where: { Self.functions.contains($0.name) }) { return true }
            return argument.split(whereSeparator: { !$0.isOfWord }).contains { bytes in
                let word = String(decoding: bytes, as: UTF8.self)
                let isExponent = bytes.first?.isDigit == true && !word.hasPrefix("0x") && word.contains("e")
                return isExponent || ["seconds", "rate"].contains(word) || word.hasSuffix("Seconds") || word.hasSuffix("Rate")
            }
        }
    }

    private init(_ code: ArraySlice<UInt8>) { self.code = Array(code) }

    private var conversions: [Call] {
        let types = ["", "8", "16", "32", "64"].flatMap { ["Int\($0)", "UInt\($0)"] }
        return calls.filter { types.contains($0.name) }
    }

    /// The calls of names without an owner, and of functions of any value.
    private var calls: [Call] {
        code.indices.filter { code[$0] == UInt8(ascii: "(") }.map { open in
            let start = code[..<open].lastIndex { !$0.isOfWord }.map { $0 + 1 } ?? 0
            var (end, depth) = (open + 1, 1)
            while end < code.count, depth > 0 {
                depth += code[end] == UInt8(ascii: "(") ? 1 : code[end] == UInt8(ascii: ")") ? -1 : 0
                end += 1
            }
            return Call(name: String(decoding: code[start..<open], as: UTF8.self), argument: code[open + 1..<end])
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isOfWord: Bool { isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F }
}
