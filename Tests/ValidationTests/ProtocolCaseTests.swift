// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each case of `validate --protocol` finds the extension in C that breaks its rule, and no other. Test thread.

import PluginHosting
import TestSupport
import Testing
import Validation

/// A variant of the extension in C, and the finding about it.
struct BrokenExtension: Sendable, CustomTestStringConvertible {
    let id: String
    let caseName: String
    let sentence: String
    var verdict = Verdict.fail
    var testDescription: String { "\(caseName) of \(id)" }

    static let all = [
        BrokenExtension(
            id: "trmb", caseName: "protocol-bypass",
            sentence: "With BYPASS its output differs from its input, 0 frames earlier, by up to "),
        BrokenExtension(
            id: "trmc", caseName: "protocol-event-count", sentence: "It took 4 events for a request whose eventCount is 1; §10"),
        BrokenExtension(
            id: "trmr", caseName: "protocol-ramps",
            sentence: "A ramp of depth over 16384 frames sounds exactly as a change at its first frame; §11"),
        BrokenExtension(
            id: "trmd", caseName: "protocol-later-events",
            sentence: "An event for rate that lay after the block of its request never takes effect; §11"),
        BrokenExtension(
            id: "trmn", caseName: "protocol-event-order",
            sentence:
                "Of two events for rate, at frame 300 and then at frame 100 in the ring, the one at 100 takes effect last; §11"),
        BrokenExtension(
            id: "trmv", caseName: "protocol-event-range", sentence: "After an event with 39.9 the state has 39.9 for rate; §11"),
        BrokenExtension(
            id: "trma", caseName: "protocol-locator",
            sentence: "It answers `hello` with a locator that leads to no unit with `welcome`; §3"),
        BrokenExtension(
            id: "trmh", caseName: "protocol-rings",
            sentence: "After a request with RING_SUCCESSOR it rings the host, and not its successor; §10"),
        BrokenExtension(
            id: "trmx", caseName: "protocol-hang-up", sentence: "It still runs 3 s after its host has hung up; §3"),
        BrokenExtension(
            id: "trmp", caseName: "protocol-view", sentence: "It draws nothing within 3000 ms, while opening its view; §21"),
        BrokenExtension(
            id: "trmk", caseName: "protocol-view",
            sentence: "It does not answer `look` within 3000 ms, while opening its view; §21"),
        BrokenExtension(
            id: "trmg", caseName: "protocol-view",
            sentence: "It sets Rate to 20.35, while taking keys and the mouse in its view; §21"),
        BrokenExtension(
            id: "trmz", caseName: "protocol-view",
            sentence: "It shows 40 by 10 cells 3000 ms after a `size` of 61 by 7, while changing the size of its view; §21"),
        BrokenExtension(
            id: "trmf", caseName: "protocol-view",
            sentence:
                "It refused: its former view has not ended, while opening its view a second time, with the first one open; §21"),
        BrokenExtension(
            id: "trmm", caseName: "protocol-view",
            sentence: "It still has the memory of its view mapped 3000 ms after the host has hung up; §21"),
        BrokenExtension(
            id: "trmj", caseName: "protocol-view",
            sentence: "It draws and does not say so, while changing the size of its view; §21"),
        // It is read for as long as any other, and no longer.
        BrokenExtension(
            id: "trmw", caseName: "protocol-view",
            sentence: "It does not answer `look` within 3000 ms, while opening its view; §21"),
        // The protocol allows it.
        BrokenExtension(
            id: "trmu", caseName: "protocol-lifeline", sentence: "It offers no lifeline: the word is 0 after `allocated`; §12",
            verdict: .warning),
    ]
}

@Suite(.serialized) struct ProtocolCaseTests {
    @Test func everyCaseHasAnExtensionThatItFinds() {
        #expect(Set(BrokenExtension.all.map(\.caseName)) == Set(ValidationCases.protocolNames))
    }

    /// Each meets its own case and a few others, or all in `make deep`.
    @Test(arguments: BrokenExtension.all) func aBrokenExtensionIsFoundByItsOwnCaseAlone(broken: BrokenExtension) throws {
        let component = try Offenders.effect("aufx:\(broken.id):test")
        let place = BrokenExtension.all.firstIndex { $0.id == broken.id } ?? 0
        let others = Sample.of(ValidationCases.protocolNames, oneIn: 8, from: place)
        let cases = ValidationCases.protocolNames.filter { others.contains($0) || $0 == broken.caseName }
        let report = try #require(try validate([component], cases: cases).first)
        let found = report.cases.filter { $0.verdict != .pass }
        #expect(found.map(\.caseName) == [broken.caseName] && found.map(\.verdict) == [broken.verdict], "\(report.text)")
        let sentence = try #require(found.first?.findings.first?.sentence)
        #expect(sentence.hasPrefix(broken.sentence), "\(sentence)")
    }

    @Test(arguments: [
        "aufx:trml:test", "Everything", "Gain", "Filter", "Delay", "Distortion", "Equalizer", "Reverb", "Sampler", "Synth", "Drums",
        "Time Pitch", "Varispeed", "Voice Processor",
    ])
    func aSoundExtensionPassesAll(name: String) throws {
        let report = try #require(
            try validate([Offenders.effect(name)], cases: ValidationCases.protocolNames, seed: .random(in: 1...1_000_000)).first)
        #expect(report.verdict == .pass, "\(report.text)")
        #expect(report.cases.count == ValidationCases.protocolNames.count)
    }
}
