// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The rights that units have in a replay: as the user gave them, and to nobody else. Test thread.

import Foundation
import TestSupport
import Testing

extension EndToEnd.ReplayTests {
    /// A scene with a unit in the host's process, which the user allowed when the scene was kept.
    @Test func theRightsOfAScenesUnitsAreThereAgain() throws {
        let bench = try Workbench()
        try bench.writeTone()
        try bench.trust("Gain")
        let host = try bench.start(
            "play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "--set", "gain=-6", "--in-process")
        try #require(eventually(within: 20) { (try? bench.run("ctl", "save-scene", "loud"))?.status == 0 })
        try bench.ctl("remove", "Gain")
        try bench.ctl("add", "Delay")
        host.send(SIGINT)
        _ = host.wait(seconds: 10)
        try play(bench, "--resume") { _ in
            try bench.ctl("scene", "loud")
            usleep(300_000)
        }.expectSuccess()
        #expect(try bench.kinds().contains("scene"))
        try bench.expectSameBits()
        // The scene is in the session, which has a seal. Another hand takes the rights away from both.
        try changeEvents(bench, "take") { $0["seal"] = nil }
        try bench.run("replay", "take", "out.wav").expectSuccess()
        // Without its seal a scene gets nothing unless the session has the same one.
        let events = String(decoding: bench.bytes("take/events.jsonl"), as: UTF8.self)
        let changed = events.replacing("\"gain\":-6", with: "\"gain\":-9")
        try #require(changed != events)
        try bench.write("take/events.jsonl", Array(changed.utf8))
        try bench.run("replay", "take", "out.wav").expectComplaint(
            status: 1, "\"Gain\" wants to be loaded into the host's process", "--allow in-process")
        try bench.write("take/events.jsonl", Array(events.utf8))
        let text = String(decoding: bench.bytes("take/session.json"), as: UTF8.self)
        try bench.write("take/session.json", Array(text.replacing("\"gain\" : -6", with: "\"gain\" : -7").utf8))
        try bench.run("replay", "take", "out.wav").expectComplaint(
            status: 1, "\"Gain\" wants to be loaded into the host's process", "--allow in-process")
        try bench.run("replay", "take", "out.wav", "--allow", "in-process").expectSuccess()
    }

    /// A unit in the host's process that came with an edit, by the user's word for this performance.
    @Test func theRightsOfAnEditsUnitsAreThereAgainUnlessAnotherHandWroteIt() throws {
        let bench = try Workbench()
        try bench.writeTone()
        try bench.trust("Gain")
        let graph = """
            {"bulkheadGraph": 1, "nodes": [{"id": "in", "kind": "input"}, {"id": "Gain", "kind": "unit",
             "unit": {"id": "aufx:gain:blkh", "isolation": "in-process", "parameters": {"gain": -6}}}],
             "connections": [{"from": "in", "to": "Gain"}, {"from": "Gain", "to": "main"}]}
            """
        try bench.write("next.json", Array(graph.utf8))
        try play(bench, "-e", "Delay", "--allow", "in-process") { _ in
            try bench.ctl("replace", "next.json")
            usleep(300_000)
        }.expectSuccess()
        #expect(try bench.kinds().contains("edit"))
        try bench.expectSameBits()
        let kept = try bench.events()
        try changeEvents(bench, "take") { $0["title"] = "another edit" }
        let replay = ["replay", "take", "out.wav"]
        try bench.run(replay).expectComplaint(status: 1, "\"Gain\" wants to be loaded into the host's process")
        try bench.run(replay + ["--allow", "in-process"]).expectSuccess()
        try bench.write(kept)
        try bench.run(replay).expectSuccess()
        // A sealed session of another capture says nothing about the edit.
        try FileManager.default.moveItem(atPath: bench.path("take"), toPath: bench.path("first"))
        try play(bench, "-e", "Delay", "--allow", "in-process") { _ in }.expectSuccess()
        let session = bench.bytes("first/session.json")
        try bench.write("first/session.json", Array(bench.bytes("take/session.json")))
        try bench.run("replay", "first", "out.wav").expectComplaint(
            status: 1, "\"Gain\" wants to be loaded into the host's process")
        try bench.write("first/session.json", Array(session))
        try bench.run("replay", "first", "out.wav").expectSuccess()
        try FileManager.default.removeItem(atPath: bench.path("take"))
        try FileManager.default.moveItem(atPath: bench.path("first"), toPath: bench.path("take"))
        // Another user's host has another key.
        let key = bench.path(".local/state/bulkhead/document.key")
        try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
        try bench.run(replay).expectComplaint(status: 1, "\"Gain\" wants to be loaded into the host's process")
    }

    /// A unit that goes on would take a state from the other hand, with the rights that it has.
    @Test func anEditFromAnotherHandGetsNothingFromTheUnitsThatWereThere() throws {
        let bench = try Workbench()
        try bench.writeTone()
        try bench.trust("Gain")
        try play(bench, "-e", "Gain", "--set", "gain=-6", "--in-process") { _ in
            try bench.ctl("add", "Delay")
            usleep(300_000)
        }.expectSuccess()
        #expect(try bench.kinds().contains("edit"))
        try bench.expectSameBits(blocks: [512])
        try changeEvents(bench, "take") { $0["seal"] = nil }
        try bench.run("replay", "take", "out.wav").expectComplaint(
            status: 1, "\"Gain\" wants to be loaded into the host's process", "--allow in-process")
        try bench.run("replay", "take", "out.wav", "--allow", "in-process").expectSuccess()
    }

    /// Changes all edits and scenes of a capture.
    private func changeEvents(_ bench: Workbench, _ folder: String, _ change: (inout CapturedLine) -> Void) throws {
        var events = try bench.events(folder)
        for index in events.indices where ["edit", "scene"].contains(events[index]["event"] as? String) {
            change(&events[index])
        }
        try bench.write(events, folder)
    }
}
