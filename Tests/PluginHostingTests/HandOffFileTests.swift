// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of the times of hand-offs: read, or measured anew and written. Test thread.

import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct HandOffFileTests {
    /// A machine on which each measurement has another result.
    private final class Machine: Sendable {
        private let count = Atomic<Int>(0)
        var measurementCount: Int { count.load(ordering: .relaxed) }

        func measure() -> HandOffTimes {
            let number = Double(count.add(1, ordering: .relaxed).newValue)
            return HandOffTimes(together: number, apart: 7.5, spinning: 0.25)
        }
    }

    private let folder = ScratchFolder()
    private let machine = Machine()
    private var path: String { folder.file("hand-offs.json") }
    private var file: HandOffFile { HandOffFile(path: path) { [machine] in machine.measure() } }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func whatWasMeasuredIsRememberedForTheSameMachine() throws {
        let times = try #require(file.times())
        for _ in 0..<3 { #expect(file.times() == times) }
        #expect(machine.measurementCount == 1)
        // Another machine measures again and gets other numbers.
        try write(try text().replacing("\"machine\" : \"", with: "\"machine\" : \"other "))
        #expect(file.times() != times && machine.measurementCount == 2)
        #expect(try !text().contains("other"))
    }

    @Test(arguments: ["", "{", "[]", "{\"machine\": 1}", String(repeating: " ", count: 10_000)])
    func aFileOfNonsenseIsMadeAnew(nonsense: String) throws {
        let former = try #require(file.times())
        try write(nonsense)
        let times = try #require(file.times())
        #expect(times != former && file.times() == times && machine.measurementCount == 2)
    }

    @Test func timesThatCannotBeAreMeasuredAnew() throws {
        _ = file.times()
        try write(try text().replacing("7.5", with: "-1"))
        #expect(file.times()?.apart == 7.5 && machine.measurementCount == 2)
    }

    /// The times cannot be stored.
    @Test(arguments: [nil, "/proc/hand-offs.json"]) func withoutAPlaceItIsMeasuredEachTime(path: String?) {
        let file = HandOffFile(path: path) { [machine] in machine.measure() }
        #expect(file.times() != nil && file.times() != nil && machine.measurementCount == 2)
    }

    /// A machine that is busy, or has one processor, has no times, and nothing is kept.
    @Test func timesThatCannotBeMeasuredAreNotKept() throws {
        #expect(HandOffFile(path: path, measure: { nil }).times() == nil)
        #expect(file.times() != nil && machine.measurementCount == 1)
    }
}
