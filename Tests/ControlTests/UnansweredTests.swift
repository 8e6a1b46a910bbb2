// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Effects that do not answer what a session asks: other edits and settings take effect meanwhile. Test thread.

import HostingTestSupport
import JSON
import LinuxSystem
import TestSupport
import Testing

@testable import Control
@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(5))) struct UnansweredTests {
    /// What `status` says of a node.
    private func state(of node: String, _ client: ControlClient) throws -> JSONValue? {
        try client.call("status")["nodes"]?.list?.first { $0["id"] == .text(node) }?["state"]
    }

    @Test func editsDoNotWaitForAnEffectThatDoesNotAllocate() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        #expect(try client.call("add", ["plugin": "Tremolo not allocating", "id": "Silent"])["id"] == "Silent")
        #expect(try client.call("add", ["plugin": "Delay"])["id"] == "Delay")
        _ = try client.call("set", ["path": "Silent.depth", "value": .number(30)])
        _ = try client.call("remove", ["node": "Delay"])
        let unit = try #require(bench.session.graph.unit(of: "Silent"))
        // Its time is not over yet.
        #expect(unit.faults.isEmpty)
        #expect(try state(of: "Silent", client) == "restarting" && state(of: "Gain", client) == "running")
        #expect(Patience.until(within: 6) { unit.faults.first?.fault == .unanswered(milliseconds: 5000) })
        _ = try client.call("remove", ["node": "Silent"])
        #expect(bench.session.graph.units.map(\.name) == ["Gain", "Reverb"])
    }

    @Test(.timed("makes edits before an effect is ended"))
    func editsDoNotWaitForAnEffectThatKeepsItsResources() throws {
        let bench = try ControlBench([("Gain", "Gain"), ("Stubborn", "Tremolo not deallocating")])
        let client = try bench.client()
        let unit = try #require(bench.session.graph.unit(of: "Stubborn"))
        _ = try client.call("remove", ["node": "Stubborn"])
        for _ in 0..<3 {
            _ = try client.call("add", ["plugin": "Delay"])
            _ = try client.call("undo")
        }
        // It is ended when its time is over.
        #expect(!unit.hosted.hasDied && Patience.until(within: 3) { unit.hosted.hasDied })
        #expect(bench.session.graph.units.map(\.name) == ["Gain"])
    }
}
