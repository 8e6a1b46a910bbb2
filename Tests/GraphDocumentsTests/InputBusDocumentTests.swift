// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The further buses of a graph's input, in documents. Test thread.

import AudioGraph
import GraphDocuments
import HostingTestSupport
import PluginHosting
import Rendering
import Testing

@Suite struct InputBusDocumentTests {
    private static let nodes = #"{"id": "mic", "kind": "input"}"#

    private static func text(_ buses: String, from end: String = "mic:1", nodes: String = nodes) -> String {
        "{\"bulkheadGraph\": 1, \"inputBuses\": [\(buses)], \"nodes\": [\(nodes)], \"connections\": [{\"from\": \"\(end)\", \"to\": \"main\"}]}"
    }

    private func read(_ text: String) throws(GraphDocumentError) -> GraphDocument { try GraphDocument(json: Array(text.utf8)) }

    @Test func busesAreTheSameAfterTheyWereWritten() throws {
        let document = try read(Self.text(#"{"name": "key", "channels": 1}, {"name": "pad"}"#))
        #expect(document.inputBuses == [DriverBus(name: "key", channelCount: 1), DriverBus(name: "pad", channelCount: 2)])
        #expect(try GraphDocument(json: try document.json()) == document)
        #expect(document.idleInputBuses == ["pad"])
    }

    @Test(arguments: [
        (text(#"{"name": "a key"}"#), "ports cannot have"), (text(#"{"name": "key"}, {"name": "key"}"#), "the same name"),
        (text(#"{"name": "key", "channels": 0}"#), "from 1 to 64"),
        (text(#"{"name": "key", "channels": 40}, {"name": "pad", "channels": 40}"#), "more than 64 channels"),
        (text(#"{"name": "key"}"#, from: "mic:2"), "no bus 2"), (text("", from: "mic:1"), "no bus 1"),
        (text(#"{"name": "key"}"#, from: "bus", nodes: #"{"id": "bus", "kind": "mixer"}"#), "no node of the kind"),
    ])
    func whatIsWrongWithBusesIsSaid(text: String, reason: String) throws {
        let error = #expect(throws: GraphDocumentError.self) { try read(text) }
        #expect("\(try #require(error))".contains(reason))
    }

    @Test func aConnectionHearsTheBusThatItNames() throws {
        let engine = try AudioEngine.offline()
        let document = try read(Self.text(#"{"name": "key", "channels": 1}"#))
        let graph = try document.build(into: engine, starting: [])
        engine.inputNode.setManualRenderingInputPCMFormat(Sounds.format(2)) { input in
            for channel in 0..<input.channelCount {
                for frame in 0..<input.frameCount { input[channel][frame] = Float(channel + 1) / 10 }
            }
            return true
        }
        try engine.start()
        #expect(try engine.render(8192).map { $0.last } == [0.3, 0.3])
        withExtendedLifetime(graph) {}
    }

    private static func outputs(_ buses: String, to end: String = "output:1") -> String {
        "{\"bulkheadGraph\": 1, \"outputBuses\": [\(buses)], \"nodes\": [\(nodes)], \"connections\": [{\"from\": \"mic\", \"to\": \"main\"}, {\"from\": \"mic\", \"to\": \"\(end)\"}]}"
    }

    @Test(arguments: [
        (outputs(#"{"name": "a wet"}"#), "an output bus has a name that ports cannot have"),
        (outputs(#"{"name": "wet", "channels": 63}"#), "its output has more than 64 channels"),
        (outputs(#"{"name": "wet"}"#, to: "output:2"), "the output has no bus 2"), (outputs(""), "the output has no bus 1"),
        (outputs(#"{"name": "wet"}], "inputBuses": [{"name": "wet"}"#), "an input bus and an output bus have the name"),
    ])
    func whatIsWrongWithOutputBusesIsSaid(text: String, reason: String) throws {
        let error = #expect(throws: GraphDocumentError.self) { try read(text) }
        #expect("\(try #require(error))".contains(reason))
    }

    @Test func aConnectionLeadsToTheOutputBusThatItNamesAndTheMainMixerToTheMainOne() throws {
        let driver = BusDriver()
        let engine = AudioEngine(driver: driver)
        let document = try read(Self.outputs(#"{"name": "spare", "channels": 1}, {"name": "wet"}"#, to: "output:2"))
        #expect(document.idleOutputBuses == ["spare"] && !document.leadsOut)
        #expect(try GraphDocument(json: try document.json()) == document)
        // A scene has nodes of its own for the main mixer and the output.
        let graph = try document.build(into: engine, starting: [], at: .scene("test"))
        try engine.start()
        #expect(driver.busNames == ["spare", "wet"])
        #expect(driver.render() == [0.1, 0.2, 0, 0.1, 0.2, 0, 0, 0])
        withExtendedLifetime(graph) {}
    }
}
