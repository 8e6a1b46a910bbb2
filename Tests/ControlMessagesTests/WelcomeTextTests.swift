// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names under which a unit's texts are set. Test thread.

import AudioUnits
import ControlMessages
import Testing
import Wire

@Suite struct WelcomeTextTests {
    private func read(_ identifiers: [String]) throws -> PluginMessage {
        let group = ParameterGroup(
            "filter", name: "Filter", [.parameter(Parameter("cutoff", name: "Cutoff", address: 0, range: 0...1, default: 0))])
        let welcome = Welcome(
            version: 1,
            description: UnitDescription(
                ComponentDescription(.effect, "text", "test"), name: "Text", manufacturerName: "Nobody",
                version: UnitVersion(1, 0, 0)),
            parameters: ParameterTree([.group(group)]), texts: identifiers.map { TextProperty($0, name: "T", kind: .text) },
            factoryPresets: [])
        let message = PluginMessage.welcome(welcome)
        return try PluginMessage(kind: message.kind, body: message.body)
    }

    @Test func namesThatMeanOneThingArriveAsTheyWereSent() throws {
        guard case .welcome(let welcome) = try read(["file", "cutoff", "filter"]) else {
            Issue.record("it is no welcome")
            return
        }
        #expect(welcome.texts.map(\.identifier) == ["file", "cutoff", "filter"])
    }

    @Test(arguments: [["file", "file"], [""], ["file", "filter.cutoff"]])
    func aNameThatIsEmptyOrMeansSomethingElseTooIsAViolation(identifiers: [String]) {
        #expect(throws: WireViolation.self) { try read(identifiers) }
    }
}
