// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Undo of values that were changed on top of each other, in part, or in nodes that are gone. Test thread.

import GraphDocuments
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(3))) struct UndoTests {
    /// A session with a morph from a soft and dark scene to the loud and bright one that plays.
    private func bench() throws -> ControlBench {
        let bench = try ControlBench([("Gain", "Gain"), ("Low", "Filter")])
        let client = try bench.client()
        for (name, gain, cutoff) in [("dark", -20.0, 100.0), ("bright", 0.0, 10_000.0)] {
            _ = try client.call("set", ["path": "Gain.gain", "value": .number(gain)])
            _ = try client.call("set", ["path": "Low.cutoff", "value": .number(cutoff)])
            _ = try client.call("saveScene", ["name": .text(name)])
        }
        _ = try client.call("morph", ["from": "dark", "to": "bright"])
        return bench
    }

    private func gain(_ bench: ControlBench) -> Double? { bench.session.graph.unit(of: "Gain")?.value(of: "gain") }

    @Test func undoTakesBackAMorphAndAMoveThatCameTogether() throws {
        let bench = try bench()
        bench.session.move([MappedMove(path: "morph.amount", number: 0.5), MappedMove(path: "Gain.gain", number: -5)])
        #expect(gain(bench) == -5)
        _ = try bench.session.undo()
        #expect(gain(bench) == 0)
        _ = try bench.session.redo()
        #expect(gain(bench) == -5)
    }

    @Test func undoTakesBackTheUnitsThatAMorphHasReached() throws {
        let bench = try bench()
        bench.session.state.withLock { state in
            guard let morph = state.morph else { return }
            let changes = morph.changes.map { change in
                let isRefused = change.node == "Low"
                return Morph.Change(
                    node: change.node, unit: change.unit, keyPath: change.keyPath, parameter: change.parameter,
                    start: isRefused ? 1e9 : change.start, end: isRefused ? 1e9 : change.end)
            }
            state.morph = Morph(from: morph.from, to: morph.to, changes: changes)
        }
        #expect(throws: ControlError.self) {
            try bench.session.apply([ValueChange(value: .morph, number: 0)], ValueGesture(title: "morph"))
        }
        #expect(gain(bench) == -20)
        _ = try bench.session.undo()
        #expect(gain(bench) == 0)
    }

    @Test func aStepOfANodeThatIsGoneDoesNotBlockTheStepsBelow() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let mix = try client.call("get", ["path": "Reverb.mix"])["value"]
        _ = try client.call("set", ["path": "Reverb.mix", "value": .number(7)])
        _ = try client.call("set", ["path": "Gain.gain", "value": .number(-3)])
        let former = bench.session.graph.captured
        var document = former
        _ = try document.remove("Gain")
        try bench.session.become(document, since: former, bench.session.graph)
        #expect(try client.call("undo")["undid"] == "set Gain.gain")
        #expect(try client.call("undo")["undid"] == "set Reverb.mix")
        #expect(try client.call("get", ["path": "Reverb.mix"])["value"] == mix)
    }
}
