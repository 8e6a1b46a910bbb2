// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Every case notices the offence that it is made for, and the others do not. Test thread.

import PluginHosting
import TestSupport
import Testing
import Validation

/// The expected result of an offence: the cases that notice it, and their verdicts.
struct Notice: Sendable, CustomTestStringConvertible {
    let offence: String
    let verdicts: [String: Verdict]
    /// Cases that notice it now and then.
    let perhaps: Set<String>

    var testDescription: String { offence }

    /// Expects the case that the offence is named after to notice it.
    init(_ offence: String, _ verdict: Verdict = .fail, perhaps: Set<String> = []) {
        self.offence = offence
        // A bridge silences NaN and infinity, and the case remarks on each unit that passes its input on.
        self.perhaps = Offenders.bridged.contains(offence) ? perhaps.union(["not-a-number"]) : perhaps
        let name = offence.prefix { $0 != "." }
        verdicts = [String(name): verdict]
    }

    static let all = [
        Notice("opening"), Notice("instances"), Notice("metadata"), Notice("parameters"),
        Notice("block-sizes"), Notice("sample-rates"), Notice("channel-layouts"),
        Notice("silence"), Notice("impulse"), Notice("full-scale"), Notice("denormals", .warning), Notice("not-a-number"),
        Notice("tail"), Notice("parameter-sweep"), Notice("parameter-extremes"), Notice("parameter-fuzz", .crash),
        Notice("automation", .hang), Notice("presets"), Notice("midi", .crash),
        Notice("state-round-trip"), Notice("state-round-trip.order", .warning), Notice("state-sound"),
        Notice("damaged-state", .crash), Notice("reset"),
        Notice("determinism", .warning), Notice("in-process"), Notice("in-process.crashes", .crash), Notice("latency"),
        Notice("latency.late"), Notice("sample-accuracy"), Notice("ramps"), Notice("ramps.late", .warning),

        // A process that is stopped at a random time may be stopped between two blocks.
        Notice("killed-between-blocks", perhaps: ["killed-inside-block"]), Notice("killed-inside-block"),
        Notice("render-time", .warning),
        Notice("render-thread.allocates", .warning), Notice("render-thread.locks", .warning),
        Notice("render-thread.reads-files", .warning), Notice("render-thread.sleeps", .warning),
        Notice("leaks.memory"), Notice("leaks.descriptors"), Notice("leaks.threads"), Notice("host-leaks"),
    ]
}

@Suite(.serialized) struct OffenceTests {
    /// What the engine hosts; `ProtocolCaseTests` has the others.
    private static let allCases = ValidationCases.names.map(\.name).filter { !ValidationCases.protocolNames.contains($0) }

    @Test func everyCaseHasAnOffenceThatItNotices() {
        #expect(Set(Notice.all.map(\.offence)).union(["none"]) == Set(Offenders.names))
        #expect(Set(Notice.all.flatMap(\.verdicts.keys)) == Set(Self.allCases))
    }

    @Test func aUnitThatRendersMoreThanItHasResourcesForIsNoticed() throws {
        let report = try #require(try validate([Offenders.effect("Tremolo of any size")], cases: ["block-sizes"]).first)
        #expect(report.verdict == .fail)
        #expect(report.cases[0].findings.map(\.sentence) == ["It renders 257 frames when it has resources for 256."])
        let answers = try #require(try validate([Offenders.effect("Tremolo of another status")], cases: ["block-sizes"]).first)
        #expect(answers.verdict == .fail)
        #expect(
            answers.cases[0].findings.map(\.sentence) == [
                "It answers a request for 257 frames with status 2 when it has resources for 256; that is status 1."
            ])
        let honest = try #require(try validate([Offenders.effect("aufx:trml:test")], cases: Self.allCases).first)
        #expect(honest.verdict == .pass, "\(honest.findingLines)")
    }

    @Test func anExtensionInCThatRampsAFrameEarlyIsNoticed() throws {
        let report = try #require(try validate([Offenders.effect("Tremolo a frame early")], cases: ["ramps"]).first)
        #expect(report.verdict == .fail)
        #expect(
            report.cases[0].findings.first?.sentence.hasPrefix("A ramp of depth from frame 9007 on is heard at its first") == true)
    }

    @Test func aUnitThatKeepsToTheRulesPassesEveryCase() throws {
        defer { removeTracks() }
        let report = try #require(try validate([Offenders.component("none")], cases: Self.allCases).first)
        #expect(report.verdict == .pass, "\(report.findingLines)")
        #expect(report.cases.count == Self.allCases.count)
    }

    /// The slow cases run only with the offences that concern them; of the others each offence meets a few of its own, or all in
    /// `make deep`.
    @Test(arguments: Notice.all) func anOffenceIsNoticedByItsOwnCaseAlone(notice: Notice) throws {
        defer { removeTracks() }
        let slow: Set = ["leaks", "host-leaks"]
        let place = Notice.all.firstIndex { $0.offence == notice.offence } ?? 0
        let others = Set(Sample.of(Self.allCases, oneIn: 12, from: place)).subtracting(slow)
        let cases = Self.allCases.filter { others.contains($0) || notice.verdicts[$0] != nil }
        let timeLimitSeconds = notice.verdicts.values.contains(.hang) ? 3.0 : 20
        let report = try #require(
            try validate([Offenders.component(notice.offence)], cases: cases, timeLimitSeconds: timeLimitSeconds).first)
        let noticed = report.cases.filter { $0.verdict != .pass && !notice.perhaps.contains($0.caseName) }
        #expect(Dictionary(uniqueKeysWithValues: noticed.map { ($0.caseName, $0.verdict) }) == notice.verdicts, "\(report.text)")
    }
}
