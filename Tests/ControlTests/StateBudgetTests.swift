// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// States of effects in the history, in scenes and in a session's file: shared, limited, and said.

import FoundationEssentials
import GraphDocuments
import TestSupport
import Testing

@testable import Control
@testable import PluginHosting

@Suite struct StateBudgetTests {
    /// A graph with a unit that keeps these bytes.
    private func document(_ bytes: [UInt8]) -> GraphDocument {
        var unit = SavedUnit(id: "aufx:gain:blkh")
        unit.custom = Data(bytes)
        return GraphDocument(nodes: [.init(id: "unit", .unit(.init(unit)))], connections: [])
    }

    private func entry(_ bytes: [UInt8]) -> HistoryEntry { HistoryEntry(title: "edit", step: .document(document(bytes))) }

    private func address(_ document: GraphDocument) -> UnsafeRawPointer? {
        document.savedUnits[0].custom.flatMap { $0.withUnsafeBytes(\.baseAddress) }
    }

    @Test func equalStatesAreOneCopyInTheHistory() {
        let bytes = [UInt8](repeating: 7, count: 100_000)
        var history = EditHistory()
        for _ in 0..<4 { history.add(entry(bytes)) }
        let documents = history.undoable.compactMap { if case .document(let document) = $0.step { document } else { nil } }
        #expect(StateBudget.byteCount(of: documents) == bytes.count)
        #expect(documents.count == 4 && Set(documents.map(address)).count == 1)
        #expect(documents.allSatisfy { $0 == document(bytes) })
    }

    @Test func theOldestStepsGoWhenTheirStatesTakeTooMuch() {
        var history = EditHistory(budget: StateBudget(historyByteCount: 250))
        for value in 1...2 as ClosedRange<UInt8> { history.add(entry([UInt8](repeating: value, count: 100))) }
        #expect(history.undoable.count == 2 && !history.hasForgotten)
        history.add(entry([UInt8](repeating: 3, count: 100)))
        #expect(history.undoable.count == 2 && history.hasForgotten)
        // A single step stays, however large it is.
        history.add(entry([UInt8](repeating: 4, count: 1000)))
        #expect(history.undoable.count == 1)
    }

    @Test func aSessionThatCouldNotBeReadAgainIsNotWritten() throws {
        let folder = ScratchFolder()
        let path = folder.file("session.json")
        try SessionFile(document([1]), scenes: [], scene: nil).keep(at: path)
        let large = SessionFile(document([UInt8](repeating: 2, count: 10_000)), scenes: [], scene: nil)
        let error = #expect(throws: HostingError.self) { try large.keep(at: path, mostBytes: 10_000) }
        #expect(error?.description.contains("10000 are the most") == true)
        // The control: the former file is still there.
        #expect(try SessionFile(contentsOfFile: path).graph.savedUnits == document([1]).savedUnits)
    }

    /// A plug-in that reports the same state again and again costs one copy.
    @Test func documentsOfAUnitShareItsState() throws {
        let bench = try ControlBench()
        let unit = try #require(bench.session.graph.units.first).unit.hosted
        let (one, other) = (unit.shared([1, 2, 3]), unit.shared([1, 2, 3]))
        #expect(one == Data([1, 2, 3]))
        #expect(one?.withUnsafeBytes(\.baseAddress) != nil && other == one && unit.shared([]) == nil)
    }
}
