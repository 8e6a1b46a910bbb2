// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The table of symbols, and the sources that use them, as text. Test thread.

import AVFoundation

/// A row of `Host/Apple/AVFAudio/SYMBOLS.md`.
struct SymbolRow {
    /// The class, or a group of constants.
    let section: String
    let symbol: String
    let status: String
    let note: String

    /// Whether programs can use it.
    var isThere: Bool { status == "there" || status == "better" }
}

/// `Host/Apple/AVFAudio/SYMBOLS.md`.
struct SymbolTable {
    var rows: [SymbolRow] = []
    /// The numbers at the top, by status.
    var counts: [String: Int] = [:]

    init(_ text: String) {
        var section = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|", omittingEmptySubsequences: true)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| "), cells.count >= 2, cells[0] != "---", cells[1] != "status" else { continue }
            if section.isEmpty {
                counts[cells[0]] = Int(cells[1])
            } else {
                let symbol = cells[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
                rows.append(SymbolRow(section: section, symbol: symbol, status: cells[1], note: cells.count > 2 ? cells[2] : ""))
            }
        }
    }

    /// How many rows have a status.
    func count(_ status: String) -> Int { rows.count { $0.status == status } }
}

/// `Tests/ApplePrograms5/Symbols`: one function for each section of the table.
struct SymbolSources {
    /// The text of each function, by the section that it is named after.
    var functions: [String: String] = [:]

    init(_ text: String) {
        for part in text.components(separatedBy: "\nfunc use").dropFirst() {
            functions[String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })] = part
        }
    }

    /// Whether the function of the row's section uses the symbol.
    func uses(_ row: SymbolRow) -> Bool {
        guard let text = functions[row.section.filter { $0 != "." }] else { return false }
        let symbol = row.symbol.replacingOccurrences(of: " async", with: "")
        guard let start = symbol.firstIndex(of: "(") else {
            let isGlobal = row.section.hasSuffix("Globals") || symbol == row.section || symbol.hasSuffix("Key")
            let pattern = isGlobal ? "\\b\(symbol)\\b" : "\\.\(symbol)\\b"
            return text.range(of: pattern, options: .regularExpression) != nil
        }
        let labels = symbol[symbol.index(after: start)...].dropLast().split(separator: ":").map(String.init)
        let name = symbol[..<start] == "init" ? row.section : String(symbol[..<start])
        return calls(of: name, in: text).contains { $0.labels == labels && (!row.symbol.hasSuffix(" async") || $0.isAwaited) }
    }

    /// The labels of each call, "_" for an argument that has none.
    private func calls(of name: String, in text: String) -> [(labels: [String], isAwaited: Bool)] {
        var (calls, rest) = ([(labels: [String], isAwaited: Bool)](), text[...])
        while let range = rest.range(of: "\\b\(name)\\(", options: .regularExpression) {
            let line = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            calls.append((labels(ofArguments: text[range.upperBound...]), line.contains("await ")))
            rest = rest[range.upperBound...]
        }
        return calls
    }

    private func labels(ofArguments text: Substring) -> [String] {
        var (depth, arguments) = (0, [""])
        for character in text {
            if character == ")", depth == 0 { break }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if character == ",", depth == 0 { arguments.append("") } else { arguments[arguments.count - 1].append(character) }
        }
        guard arguments != [""] else { return [] }
        return arguments.map { argument in
            let word = argument.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return argument.contains("\(word):") && !word.isEmpty ? String(word) : "_"
        }
    }
}
