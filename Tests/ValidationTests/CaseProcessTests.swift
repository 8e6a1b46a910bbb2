// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How the validator takes whatever a case's process sends and does. Test thread.

import AudioUnits
import Glibc
import TestSupport
import Testing

@testable import PluginHosting
@testable import Validation

@Suite(.serialized) struct CaseProcessTests {
    private func request(_ seconds: Double = 5) throws -> CaseRequest {
        CaseRequest(component: try Offenders.effect("Gain"), caseName: "tail", seed: 1, timeLimitSeconds: seconds)
    }

    private func run(_ script: String, seconds: Double = 5) throws -> CaseReport {
        let fake = try FakeCase(script)
        return try #require(CaseProcess.run(try request(seconds), executable: fake.path))
    }

    /// JSON that a hostile plug-in would send in place of the case.
    private static let forged = """
        {"caseName": "other", "seed": 9, "verdict": "pass", "milliseconds": 1, "output": "\\u001b[2J",
        "findings": [{"verdict": "fail", "sentence": "\\u001b[2JAll is \\u202ewell."}], "remarks": ["\\u001b]0;x"],
        "facts": {"\\u001b[1m": 1}}
        """

    @Test func aReportSteersNoTerminalAndIsOfTheCaseThatWasAskedFor() throws {
        let report = try run("cat >&3 <<'END'\n\(Self.forged)\nEND")
        #expect(report.caseName == "tail" && report.seed == 1 && report.verdict == .fail && report.output.isEmpty)
        #expect(report.findings.map(\.sentence) == [" [2JAll is  well."])
        #expect(report.remarks == [" ]0;x"] && Array(report.facts.keys) == [" [1m"])
    }

    @Test func aReportThatFollowsNonsenseCounts() throws {
        #expect(try run("echo nonsense >&3; cat >&3 <<'END'\n\(Self.forged)\nEND").verdict == .fail)
    }

    @Test(arguments: ["exec 3>&-", "echo nonsense >&3"])
    func aProcessThatHangsUpOrTalksNonsenseIsWaitedForWithoutEffort(word: String) throws {
        let before = clock()
        let report = try run("\(word)\nexec sleep 60", seconds: 0.2)
        #expect(report.verdict == .hang)
        // The limit is half of a second of processor time in more than three seconds.
        #expect(Double(clock() - before) / Double(CLOCKS_PER_SEC) < 0.5)
    }

    @Test func aComponentWithLongPathsIsAskedAbout() throws {
        let gain = try Offenders.effect("Gain")
        let unit = ListedUnit(
            locator: (0..<64).map { "/\($0)/" + String(repeating: "long/", count: 800) },
            description: UnitDescription(
                gain.description, classicIdentifier: "lv2:urn:x", name: "Gain", manufacturerName: "Nobody",
                version: UnitVersion(1, 0, 0)))
        let component = Component(unit, format: .lv2, bridge: gain)
        let request = CaseRequest(component: component, caseName: "tail", seed: 1, timeLimitSeconds: 10)
        let report = try #require(CaseProcess.run(request, executable: Build.command))
        // An extension with a single unit refuses a locator. The case has come that far.
        #expect(report.verdict == .fail && report.findings.contains { $0.sentence.contains("Couldn't instantiate \"Gain\"") })
    }
}
