// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the tables of Protocol/README.md, so that the document cannot drift from the header. Test thread.

import FoundationEssentials
import Testing

struct Specification {
    private let lines: [String]

    init(file: String = #filePath) {
        let root = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let text = (try? String(contentsOf: URL(fileURLWithPath: "\(root)/Protocol/README.md"), encoding: .utf8)) ?? ""
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The rows `| offset | type | field | …` that follow `heading`, up to the next heading.
    private func rows(below heading: String) -> [(offset: Int, field: String)] {
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return section.compactMap { line in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " } }
            guard cells.count >= 3, let offset = Int(cells[0]) else { return nil }
            return (offset, cells[2])
        }.filter { row in !row.field.isEmpty }
    }

    /// Expects every offset of a table to be the compiler's own.
    func expect<Root>(
        _ heading: String, _ type: Root.Type, location: SourceLocation = #_sourceLocation,
        _ keyPath: (String) -> PartialKeyPath<Root>?
    ) {
        var found = 0
        for row in rows(below: heading) {
            guard let path = keyPath(row.field) else { continue }
            found += 1
            #expect(
                MemoryLayout<Root>.offset(of: path) == row.offset, "\(heading): \(row.field)", sourceLocation: location)
        }
        #expect(found >= 3, "\(heading) has no table", sourceLocation: location)
    }
}
