// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The table of symbols says what the sources that are compiled show. Test thread.

import AVFoundation
import TestSupport
import Testing

@Suite struct SymbolTableTests {
    private let table: SymbolTable
    private let sources: SymbolSources

    init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        table = SymbolTable(try String(contentsOf: root.appendingPathComponent("Host/Apple/AVFAudio/SYMBOLS.md"), encoding: .utf8))
        let folder = root.appendingPathComponent("Tests/ApplePrograms5/Symbols")
        let names = Folder.entries(of: folder.path).filter { $0.hasSuffix(".swift") }
        let texts = try names.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        sources = SymbolSources(texts.joined(separator: "\n"))
    }

    /// What is wrong with a row; nil if nothing is.
    private func defect(of row: SymbolRow) -> String? {
        let name = "\(row.section) \(row.symbol)"
        switch row.status {
        case "there", "better": if !sources.uses(row) { return "\(name) is \(row.status), and no source uses it" }
        case "left out": if sources.uses(row) { return "\(name) is \(row.status), and a source uses it" }
        default: return "\(name) has the status \(row.status)"
        }
        return row.note.isEmpty && row.status != "there" ? "\(name) is \(row.status), and nothing says why" : nil
    }

    @Test func theSourcesUseWhatIsThereAndNothingElse() {
        #expect(table.rows.count > 500)
        #expect(table.rows.compactMap(defect) == [])
    }

    @Test func theNumbersAtTheTopAreThoseOfTheRows() {
        let statuses = ["there", "better", "left out"]
        print("Symbols: \(statuses.map { "\($0) \(table.count($0))" }.joined(separator: ", ")).")
        #expect(Set(table.counts.keys) == Set(statuses))
        for status in statuses { #expect(table.counts[status] == table.count(status), "\(status)") }
        #expect(table.rows.count == statuses.reduce(0) { $0 + table.count($1) })
        #expect(Set(table.rows.map { "\($0.section) \($0.symbol)" }).count == table.rows.count)
    }

    @Test(arguments: ["cook(_:)", "AVAudioOven", "connect(_:to:formats:)", "main", "init(_:)", "start() async"])
    func aRowThatIsMadeUpIsCaught(symbol: String) {
        #expect(defect(of: SymbolRow(section: "AVAudioEngine", symbol: symbol, status: "there", note: "")) != nil)
    }

    @Test(arguments: ["connect(_:to:format:)", "AVAudioEngine", "mainMixerNode", "init()", "start()"])
    func aRowThatIsWronglyLeftOutIsCaught(symbol: String) {
        #expect(defect(of: SymbolRow(section: "AVAudioEngine", symbol: symbol, status: "left out", note: "Why not.")) != nil)
        #expect(defect(of: SymbolRow(section: "AVAudioEngine", symbol: symbol, status: "there", note: "")) == nil)
        #expect(defect(of: SymbolRow(section: "AVAudioEngine", symbol: symbol, status: "better", note: "")) != nil)
        #expect(defect(of: SymbolRow(section: "AVAudioEngine", symbol: symbol, status: "perhaps", note: "")) != nil)
    }
}
