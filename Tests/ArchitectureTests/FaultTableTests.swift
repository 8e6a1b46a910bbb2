// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every row of the table of faults in Protocol/README.md has tests in Tests/FAULTS.md, and there are such tests.

import FoundationEssentials
import Testing

@Suite struct FaultTableTests {
    private static func text(_ name: String) -> String {
        let folders = #filePath.split(separator: "/").dropLast(3)
        let path = "/" + folders.joined(separator: "/") + "/" + name
        return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private let tests = KnownTests(SourceFile.all().filter(\.isTest))

    @Test func everyRowNamesATestThatThereIs() {
        let rows = FaultTable.rows(of: Self.text("Tests/FAULTS.md"))
        #expect(rows.count > 25)
        #expect(rows.map(\.fault) == FaultTable.rows(of: Self.text("Protocol/README.md"), isProtocol: true).map(\.fault))
        for row in rows { #expect(row.complaints(tests).isEmpty, "\(row.fault)") }
    }

    @Test func everyThingThatWentSilentlyWrongHasATest() {
        let rows = FaultTable.rows(of: Self.text("Tests/UNHEARD.md"))
        #expect(rows.count > 20)
        for row in rows { #expect(row.complaints(tests).isEmpty, "\(row.fault)") }
    }

    @Test func whatIsWrongWithARowIsFound() {
        let known = KnownTests([
            SourceFile(
                path: "Tests/A/A.swift", text: "struct ATests {\n    @Test(arguments: [1])\n    func aFault(_: Int) {}\n}\n"),
            SourceFile(path: "Tests/B/B.swift", text: "struct BTests {\n    @Test func other() {}\n    func notATest() {}\n}\n"),
        ])
        func complaints(_ cell: String) -> [String] {
            let table = "| fault | heard | tests |\n| --- | --- | --- |\n| it sulks | nothing | \(cell) |\n\nWords.\n"
            let rows = FaultTable.rows(of: table)
            #expect(rows.map(\.fault) == ["it sulks"])
            return rows.flatMap { $0.complaints(known) }
        }
        #expect(complaints("`ATests` `aFault`, `BTests`").isEmpty)
        #expect(complaints("none yet") == ["names no suite"])
        #expect(complaints("`CTests`") == ["CTests"])
        #expect(complaints("`BTests` `aFault`; `ATests`") == ["BTests.aFault"])
        #expect(complaints("`BTests` `notATest`") == ["BTests.notATest"])
    }
}

/// The suites of some files, and their tests.
struct KnownTests {
    private(set) var suites: [String: Set<String>] = [:]

    init(_ files: [SourceFile]) {
        for file in files where file.text[...].holds("@Test") {
            var suite: String?
            let lines = file.lines
            for (index, line) in lines.enumerated() {
                if let name = Self.name(after: "struct", in: line), name.hasSuffix("Tests") {
                    suite = name
                    suites[name, default: []].formUnion([])
                } else if let suite, let name = Self.name(after: "func", in: line), Self.isTest(index, in: lines) {
                    suites[suite]?.insert(name)
                }
            }
        }
    }

    private static func name(after keyword: Substring, in line: Substring) -> String? {
        let words = line.split(whereSeparator: { " (:{".contains($0) })
        guard let position = words.firstIndex(of: keyword), position + 1 < words.count else { return nil }
        return String(words[position + 1])
    }

    /// Whether the attribute stands before a function, on its line or on those before it that belong to it.
    private static func isTest(_ index: Int, in lines: [Substring]) -> Bool {
        if lines[index].holds("@Test") { return true }
        for line in lines[..<index].reversed() {
            if line.holds("func ") || line.allSatisfy({ $0 == " " }) { return false }
            if line.holds("@Test") { return true }
        }
        return false
    }
}

/// One row of the table.
struct FaultRow {
    let fault: String
    /// What stands between backticks in the last column.
    let names: [String]

    /// Names without a test, or that there are none.
    func complaints(_ known: KnownTests) -> [String] {
        var complaints: [String] = []
        var suite: String?
        for name in names {
            if name.hasSuffix("Tests") {
                suite = name
                if known.suites[name] == nil { complaints.append(name) }
            } else if let suite, known.suites[suite]?.contains(name) != true {
                complaints.append("\(suite).\(name)")
            }
        }
        return suite == nil ? ["names no suite"] : complaints
    }
}

/// The table whose first column is called `fault` and whose last one `tests`.
enum FaultTable {
    /// The protocol's table ends with another column.
    static func rows(of text: String, isProtocol: Bool = false) -> [FaultRow] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let end = isProtocol ? "| healed by |" : "| tests |"
        let table = lines.drop { !($0.hasPrefix("| fault |") && $0.hasSuffix(end)) }.dropFirst(2)
        return table.prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.drop(while: { $0 == " " }) }
            let pieces = (cells.last ?? "").split(separator: "`", omittingEmptySubsequences: false)
            let names = pieces.indices.filter { $0 % 2 == 1 }.map { String(pieces[$0]) }
            var fault = cells.first ?? ""
            while fault.last == " " { fault.removeLast() }
            return FaultRow(fault: String(fault), names: names)
        }
    }
}
