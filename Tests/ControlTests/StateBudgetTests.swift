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

    /// Each undo keeps the state of the moment for redo, and a plug-in may have another one each time.
    @Test func stepsToBeRedoneAreLimitedToo() {
        var history = EditHistory(budget: StateBudget(historyByteCount: 250))
        for _ in 0..<20 { history.add(entry([1])) }
        for value in 1...20 as ClosedRange<UInt8> {
            #expect(history.takeUndo() != nil)
            history.put(entry([UInt8](repeating: value, count: 100)), toRedo: true)
        }
        #expect(history.redoable.count == 2 && history.hasForgotten && history.redo?.title == "edit")
    }

    /// A plug-in may keep as much in texts as in a state.
    @Test func longTextsCountAsStates() {
        var history = EditHistory(budget: StateBudget(historyByteCount: 250_000))
        for value in 1...4 {
            var unit = SavedUnit(id: "aufx:gain:blkh")
            unit.texts = ["text": String(repeating: "\(value)", count: 100_000)]
            let document = GraphDocument(nodes: [.init(id: "unit", .unit(.init(unit)))], connections: [])
            history.add(HistoryEntry(title: "edit", step: .document(document)))
        }
        #expect(history.undoable.count == 2 && history.hasForgotten)
    }

    /// Equal states at two places are compared once, when the second one comes.
    @Test(.timed("keeps 200 documents with a large state"))
    func statesOfTheSameMemoryAreNotCompared() {
        let state = Data(repeating: 7, count: 64 << 20)
        var unit = SavedUnit(id: "aufx:gain:blkh")
        unit.custom = state
        let document = GraphDocument(nodes: [.init(id: "unit", .unit(.init(unit)))], connections: [])
        var history = EditHistory()
        let clock = ContinuousClock()
        // 200 documents with one state: to compare each with each would read a terabyte.
        let time = clock.measure { for _ in 0..<200 { history.add(HistoryEntry(title: "edit", step: .document(document))) } }
        #expect(history.undoable.count == 200 && time < .seconds(20))
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

    /// Scenes often have the states of the graph that plays.
    @Test func aStateThatScenesShareIsOnceInTheFile() throws {
        let folder = ScratchFolder()
        let path = folder.file("session.json")
        let (shared, own) = ([UInt8](repeating: 7, count: 300_000), [UInt8](repeating: 8, count: 300_000))
        let scenes = (1...10).map { SessionScene(name: "\($0)", graph: document($0 == 5 ? own : shared)) }
        let file = SessionFile(document(shared), scenes: scenes, scene: nil)
        try file.keep(at: path)
        let count = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        // Base64 has four bytes for three.
        #expect(try (800_000..<900_000).contains(#require(count)))
        let read = try SessionFile(contentsOfFile: path)
        #expect(read.graph.savedUnits == file.graph.savedUnits && read.isOwn)
        #expect(read.scenes.map(\.graph.savedUnits) == scenes.map(\.graph.savedUnits))
        #expect(Set(([read.graph] + read.scenes.map(\.graph)).map(address)).count == 2)
    }

    @Test func aSharedStateForANodeThatIsNotThereIsADefect() throws {
        let folder = ScratchFolder()
        let path = folder.file("session.json")
        let state = [UInt8](repeating: 7, count: 5000)
        try SessionFile(document(state), scenes: [SessionScene(name: "one", graph: document(state))], scene: nil).keep(at: path)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(text.replacing("\"scene\" : 0", with: "\"scene\" : 1").utf8).write(to: URL(filePath: path))
        let error = #expect(throws: FileDefect.self) { try SessionFile(contentsOfFile: path) }
        #expect(error?.reason == "\"sharedStates\" names a node that is no effect")
    }

    /// States are written in pieces; the last one is shorter, and its end is no whole group of base64.
    @Test func aLargeStateComesBackWholeAndSealed() throws {
        let folder = ScratchFolder()
        let path = folder.file("session.json")
        var state = [UInt8](repeating: 0, count: (3 << 18) * 2 + 1000)
        for index in state.indices { state[index] = UInt8(truncatingIfNeeded: index &* index >> 7) }
        var unit = SavedUnit(id: "aufx:gain:blkh")
        (unit.custom, unit.texts) = (Data(state), ["custom": "a text of the same name"])
        let document = GraphDocument(nodes: [.init(id: "unit", .unit(.init(unit)))], connections: [])
        let file = SessionFile(document, scenes: [SessionScene(name: "empty", graph: self.document([]))], scene: nil)
        try file.keep(at: path)
        let read = try SessionFile(contentsOfFile: path)
        #expect(read.isOwn && read.graph.savedUnits == document.savedUnits)
        #expect(read.scenes[0].graph.savedUnits[0].custom == Data())
        // One character of the state is another one: the seal is no longer this file's.
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let place = bytes.count / 2
        bytes[place] = bytes[place] == 0x41 ? 0x42 : 0x41
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try !SessionFile(contentsOfFile: path).isOwn)
    }

    /// A command that ends does not wait for a file that another one replaces.
    @Test func aWriteThatIsGivenUpLeavesTheFormerFile() throws {
        let folder = ScratchFolder()
        let path = folder.file("session.json")
        try SessionFile(document([1]), scenes: [], scene: nil).keep(at: path)
        let large = SessionFile(document([UInt8](repeating: 2, count: 4 << 20)), scenes: [], scene: nil)
        var count = 0
        #expect(throws: SessionFileText.GivenUp.self) {
            try large.keep(at: path) {
                count += 1
                return count < 3
            }
        }
        #expect(count == 3 && folder.names == ["session.json"])
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
