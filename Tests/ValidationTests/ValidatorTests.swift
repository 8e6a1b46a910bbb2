// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The machinery of a validation: seeds, order, and results in every situation. Test thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting
import Synchronization
import TestSupport
import Testing

@testable import Validation

@Suite(.serialized) struct ValidatorTests {
    private static let ourEffects = ["Gain", "Filter", "Delay", "Distortion", "Equalizer", "Reverb", "Voice Processor"]

    /// Thirty cases, a process each; a part of them for each effect, or all in `make deep`.
    ///
    /// `ProtocolCaseTests` has the cases of the protocol, for these effects, too.
    @Test(arguments: ourEffects.indices) func ourEffectsPassEveryCase(place: Int) throws {
        let cases = ValidationCases.names.map(\.name).filter { !ValidationCases.protocolNames.contains($0) }
        let chosen = Sample.of(cases, oneIn: 3, from: place)
        let effect = try Offenders.effect(Self.ourEffects[place])
        let report = try #require(try validate([effect], cases: chosen, seed: .random(in: 1...1_000_000)).first)
        #expect(report.cases.count == chosen.count)
        #expect(report.verdict == .pass, "\(report.findingLines.joined(separator: "\n"))")
    }

    @Test func theSameSeedFindsTheSame() throws {
        defer { removeTracks() }
        let component = try Offenders.component("parameter-fuzz")
        let runs = try (0..<2).map { _ in try #require(try validate([component], cases: ["parameter-fuzz"], seed: 11).first) }
        #expect(runs[0].verdict == .crash)
        #expect(runs[0].cases[0].findings == runs[1].cases[0].findings)
        #expect(
            runs[0].command(for: runs[0].cases[0])
                == "bulkhead validate \(component.id) --case parameter-fuzz --reproduce 11")
    }

    @Test func namesAndSeedsGiveNumbersOfTheirOwn() {
        func first(_ seed: UInt64, _ name: String) -> UInt64 {
            var random = Validation.SeededRandom(seed: seed, for: name)
            return random.next()
        }
        #expect(first(1, "tail") == first(1, "tail"))
        #expect(Set([first(1, "tail"), first(2, "tail"), first(1, "reset")]).count == 3)
    }

    @Test func casesComeInTheirOrderAndEveryUnitIsToldOnce() throws {
        defer { removeTracks() }
        let names = ["tail", "metadata", "silence"]
        let components = try ["none", "silence", "metadata"].map(Offenders.component)
        var plan = ValidationPlan(components: components, caseNames: names, seed: 1, jobCount: 3, timeLimitSeconds: 20)
        plan.executable = Build.command
        var (told, shares) = ([String](), [Double]())
        _ = try Validator(plan).run { share, fresh in
            shares.append(share)
            told += fresh.map(\.id)
            #expect(fresh.allSatisfy { $0.cases.map(\.caseName) == names })
            return true
        }
        #expect(told.sorted() == components.map(\.id).sorted())
        #expect(shares == shares.sorted() && shares.last == 1)
    }

    @Test func anInterruptedRunEndsEarly() throws {
        var plan = ValidationPlan(
            components: [try Offenders.effect("Gain")], caseNames: ["leaks", "host-leaks", "leaks", "host-leaks", "leaks"], seed: 1,
            jobCount: 1, timeLimitSeconds: 20)
        plan.executable = Build.command
        let started = MonotonicClock.now()
        let units = try Validator(plan).run { _, _ in false }
        #expect(units.isEmpty)
        #expect(MonotonicClock.now() - started < 10_000_000_000)
    }

    @Test func anInterruptedRunDoesNotWaitForTheCasesThatAreRunning() throws {
        let script = try FakeCase("exec sleep 60")
        var plan = ValidationPlan(
            components: [try Offenders.effect("Gain")], caseNames: ["tail", "reset"], seed: 1, jobCount: 2, timeLimitSeconds: 20)
        plan.executable = script.path
        let started = MonotonicClock.now()
        let units = try Validator(plan).run { _, _ in MonotonicClock.now() < started + 300_000_000 }
        #expect(units.isEmpty)
        #expect(MonotonicClock.now() - started < 5_000_000_000)
    }

    @Test func aCommandThatIsNotThereFailsEachCaseWithASentence() throws {
        let component = try Offenders.effect("Gain")
        let request = CaseRequest(component: component, caseName: "tail", seed: 1, timeLimitSeconds: 1)
        let report = try #require(CaseProcess.run(request, executable: "/nonexistent/bulkhead"))
        #expect(report.verdict == .fail)
        #expect(report.findings[0].sentence.hasPrefix("Couldn't start \"/nonexistent/bulkhead\": no such file"))
    }

    @Test func aProcessThatSaysNothingIsGivenUp() throws {
        let component = try Offenders.effect("Gain")
        let request = CaseRequest(component: component, caseName: "tail", seed: 1, timeLimitSeconds: 0.2)
        // Each ignores the request: one ends at once, the other sleeps.
        #expect(CaseProcess.run(request, executable: "/bin/true")?.verdict == .crash)
        let script = try FakeCase("exec sleep 60")
        #expect(CaseProcess.run(request, executable: script.path)?.verdict == .hang)
    }

    @Test func aCaseThatTakesTooLongSaysWhatItWasDoing() throws {
        defer { removeTracks() }
        let report = try #require(
            try validate([Offenders.component("automation")], cases: ["automation"], timeLimitSeconds: 1).first)
        #expect(report.verdict == .hang)
        #expect(
            report.cases[0].findings[0].sentence == "It did not come to an end within 1.0 s, while following automation in lines.")
    }
}
