// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a welcome may hold: the host reads the largest one in a moment. Test thread.

import AudioUnits
import TestSupport
import Testing
import Wire

@testable import ControlMessages

@Suite struct WelcomeLimitTests {
    private func read(
        _ tree: ParameterTree = ParameterTree(), texts: [TextProperty] = [], presets: [FactoryPreset] = []
    ) throws(WireViolation) {
        let description = UnitDescription(
            ComponentDescription(.effect, "slow", "test"), name: "Slow", manufacturerName: "Tests", version: UnitVersion(1, 0, 0))
        let message = PluginMessage.welcome(
            Welcome(version: 1, description: description, parameters: tree, texts: texts, factoryPresets: presets))
        _ = try PluginMessage(kind: message.kind, body: message.body)
    }

    private func texts(_ count: Int) -> [TextProperty] {
        (0..<count).map { TextProperty("text\($0)", name: "", kind: .text) }
    }

    private func presets(_ count: Int, values: Int = 0) -> [FactoryPreset] {
        let values = Dictionary(uniqueKeysWithValues: (0..<values).map { ("key\($0)", 0.0) })
        return (0..<count).map { _ in FactoryPreset("", values) }
    }

    @Test func asManyTextsPresetsAndValuesAsAllowedAreReadAndOneMoreIsNot() throws {
        try read(texts: texts(WireLimits.textCount), presets: presets(WireLimits.presetCount))
        #expect(throws: WireViolation("1025 texts; 1024 are the most")) { try read(texts: texts(1025)) }
        #expect(throws: WireViolation("16385 presets; 16384 are the most")) { try read(presets: presets(16_385)) }
        try read(presets: presets(1, values: 16_384))
        #expect(throws: WireViolation("16385 values; 16384 are the most")) { try read(presets: presets(1, values: 16_385)) }
    }

    @Test func aLongerWelcomeIsRefused() {
        let name = String(repeating: "x", count: WireLimits.welcomeByteCount)
        #expect {
            try read(texts: [TextProperty("text", name: name, kind: .text)])
        } throws: { error in
            "\(error)".contains("a welcome of")
        }
    }

    @Test func identifiersAndKeyPathsHaveALongestLength() throws {
        let longest = String(repeating: "x", count: ParameterTree.maximumKeyPathByteCount)
        try read(texts: [TextProperty(longest, name: "", kind: .text)], presets: [FactoryPreset("", [longest: 1])])
        #expect(throws: WireViolation("an identifier of 2193 bytes")) {
            try read(texts: [TextProperty(longest + "x", name: "", kind: .text)])
        }
        #expect(throws: WireViolation("an identifier of 2193 bytes")) { try read(presets: [FactoryPreset("", [longest + "x": 1])]) }
    }

    @Test func aRowOfMarksHasALongestLength() throws {
        func tree(_ marks: Int) -> ParameterTree {
            let identifier = "a" + String(String.UnicodeScalarView((0..<marks).map { _ in "\u{301}" }))
            return ParameterTree(Parameter(identifier, name: "", address: 1, range: 0...1, default: 0))
        }
        try read(tree(30))
        #expect(throws: WireViolation("an identifier with more than 30 marks in a row")) { try read(tree(31)) }
    }

    /// Key paths that begin alike, in letters that can be written in two ways, and texts that nearly have their names.
    private static let slow: (tree: ParameterTree, texts: [TextProperty]) = {
        let part = String(repeating: "e\u{301}\u{323}", count: 24)
        var children: [ParameterNode] = (0..<ParameterTree.maximumParameterCount).map {
            .parameter(Parameter("\(part)\($0)", name: "", address: UInt64($0), range: 0...1, default: 0))
        }
        for _ in 0..<ParameterTree.maximumDepth { children = [.group(ParameterGroup(part, name: "", children))] }
        let tree = ParameterTree(children)
        let path = tree.parameters[0].keyPath.dropLast(1)
        return (tree, (0..<WireLimits.textCount).map { TextProperty("\(path)x\($0)", name: "", kind: .text) })
    }()

    /// By the order of characters, looking up each text alone took thousands of long comparisons.
    @Test func theSlowestWelcomeIsReadInAMoment() throws {
        let (tree, texts) = Self.slow
        let start = ContinuousClock.now
        try read(tree, texts: texts)
        let passed = ContinuousClock.now - start
        print("The slowest welcome was read in \(passed).")
        #expect(passed < .seconds(20), "it takes a quarter of a second in a release build")
    }

    @Test func aKeyPathIsFoundByItsBytes() throws {
        let tree = Self.slow.tree
        for index in [0, 1, 4711, ParameterTree.maximumParameterCount - 1] {
            #expect(tree[keyPath: tree.parameters[index].keyPath]?.address == UInt64(index))
        }
        #expect(tree[keyPath: "x"] == nil && tree[keyPath: ""] == nil && tree[keyPath: tree.parameters[5].keyPath + "x"] == nil)
    }
}
