// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What can come next on a command line. Any thread.

import Testing

@testable import TerminalHost

@Suite struct CompletionTests {
    private static var names: Completion.Names {
        .init(
            plugins: { ["Reverb", "Gain", "aufx:gain:blkh"].map { .init(text: $0, help: "a plug-in") } },
            chains: { [.init(text: "Voice", help: "")] }, presets: { [.init(text: "\($0) Hall", help: "")] },
            parameters: { _ in [.init(text: "mix=", help: "Mix")] })
    }

    /// Completes the last word of a line.
    ///
    /// A line that ends in a space has an empty one.
    private func completion(_ line: String) -> Completion {
        Completion(of: line.split(separator: " ", omittingEmptySubsequences: false).map(String.init), Self.names)
    }

    private func words(_ line: String) -> [String] { completion(line).candidates.map(\.text) }

    @Test(arguments: TestedCommand.listed) func theOptionsAreThoseOfTheTable(command: TestedCommand) {
        let facts = command.facts
        let actions = facts.options.flatMap(\.actions)
        for action in actions.isEmpty ? [""] : Set(actions).sorted() {
            let start = action.isEmpty ? "\(command.name) -" : "\(command.name) \(action) -"
            let expected = facts.options.filter { $0.belongs(to: action.isEmpty ? nil : action) }.flatMap(\.names)
            #expect(Set(words(start)) == Set(expected + ["--help"]))
        }
    }

    @Test(arguments: TestedCommand.listed) func everyValueIsCompletedAsTheTableSays(command: TestedCommand) {
        for option in command.facts.options {
            guard let value = option.value else { continue }
            let start = command.start(for: option).joined(separator: " ")
            let completion = completion("\(command.name) \(start.isEmpty ? "" : "\(start) ")\(option.name) ")
            switch value.kind {
            case .text, .integer, .integers, .number: #expect(completion == self.completion("measure --cycles "))
            case .choice(let names), .choices(let names), .suggestions(let names):
                #expect(completion.candidates.map(\.text) == names)
            case .file: #expect(completion.files == .files)
            case .folder: #expect(completion.files == .folders)
            case .plugin: #expect(completion.candidates.contains { $0.text == "Reverb" })
            case .preset: #expect(completion.candidates.map(\.text) == ["Gain Hall"])
            case .parameter: #expect(completion.candidates.map(\.text) == ["mix="])
            case .chain: #expect(completion.candidates.map(\.text) == ["Voice"])
            }
        }
    }

    @Test func commandsAreCompletedByTheirNames() {
        #expect(words("re") == ["render", "replay", "revoke"] && words("help inf") == ["info"])
        #expect(words("").count == TerminalHost.commands.count + 2)
        #expect(words("frobnicate -").isEmpty && words("help info ").isEmpty)
    }

    @Test func operandsComeInTheirOrder() {
        #expect(completion("render ").files == .files && completion("render a.wav ").files == .files)
        #expect(words("render a.wav b.wav ").contains("--effect"))
        #expect(completion("render --output-folder out a.wav b.wav ").files == .files)
        #expect(words("chain ") == ["save", "list", "show", "delete"] && words("chain show ") == ["Voice"])
        #expect(words("preset delete Gain ") == ["Gain Hall"] && words("preset list Gain ") == ["--help"])
        #expect(words("validate Gain re") == ["Reverb"])
    }

    @Test func presetsAndParametersAreThoseOfTheLastPlugIn() {
        #expect(words("play a.wav -e Gain -e Reverb --preset ") == ["Reverb Hall"])
        #expect(words("play a.wav --preset ").isEmpty)
        #expect(words("play a.wav --effect=Gain --set m") == ["mix="])
    }

    @Test func listsAndJoinedValuesAreCompleted() {
        #expect(words("measure --waiting futex,") == ["futex,adaptive", "futex,spin"])
        #expect(words("play --isolation=by") == ["--isolation=by-plugin", "--isolation=by-manufacturer"])
        #expect(completion("play --report=").files == .files && words("play --frob=").isEmpty)
    }

    @Test func lettersMayBeInUpperOrLowerCase() {
        #expect(words("info rev") == ["Reverb"] && words("info AUFX") == ["aufx:gain:blkh"])
    }
}
