// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long hand-offs take on this machine, how that is stored, and what follows from it.

import FoundationEssentials
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(
    .timed("measures hand-offs"), .serialized,
    .enabled(if: Scheduling.processors(ofThread: 0).count > 1, "there is one processor here")) struct HandOffTests
{
    /// Calls `body` with a file in a folder of its own, which is removed afterwards.
    private func withFile(_ body: (_ path: String) throws -> Void) throws {
        var template = Array("/tmp/hand-offs.XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body("\(folder)/below/hand-offs.json")
    }

    /// A thread that spins is quicker than one that is woken, on every machine.
    @Test func theyAreMeasuredInAMoment() throws {
        let started = MonotonicClock.now()
        let times = try #require(HandOffTimes.measured())
        let milliseconds = Double(MonotonicClock.now() - started) / 1e6
        print("Measured in \(milliseconds) ms: \(times).")
        #expect(milliseconds < 2000)
        #expect(times.spinning > 0 && times.spinning < times.together && times.spinning < times.apart)
        #expect(times.together < 1000 && times.apart < 5000)
    }

    @Test func unitsBelongWhereHandOffsAreQuickest() {
        #expect(HandOffTimes(together: 4, apart: 35, spinning: 0.2).placement == .together)
        #expect(HandOffTimes(together: 40, apart: 5, spinning: 0.2).placement == .spread)
    }

    @Test func whatWasMeasuredIsRememberedForTheSameMachine() throws {
        try withFile { path in
            let file = HandOffFile(path: path)
            let times = try #require(file.times())
            for _ in 0..<3 { #expect(file.times() == times) }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // Another machine measures again and gets other numbers.
            try text.replacing("\"machine\" : \"", with: "\"machine\" : \"other ").write(
                toFile: path, atomically: true, encoding: .utf8)
            #expect(file.times() != times)
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("other") == false)
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"machine\": 1}", String(repeating: " ", count: 10_000)])
    func aFileOfNonsenseIsMadeAnew(text: String) throws {
        try withFile { path in
            let file = HandOffFile(path: path)
            _ = file.times()
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let times = try #require(file.times())
            #expect(file.times() == times)
        }
    }

    @Test func timesThatCannotBeAreMeasuredAnew() throws {
        try withFile { path in
            let file = HandOffFile(path: path)
            let times = try #require(file.times())
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacing("\(times.apart)", with: "-1").write(toFile: path, atomically: true, encoding: .utf8)
            #expect(try #require(file.times()).apart > 0)
        }
    }

    /// The times cannot be stored.
    @Test func withoutAPlaceItIsMeasuredEachTime() {
        #expect(HandOffFile(path: nil).times() != nil)
        #expect(HandOffFile(path: "/proc/hand-offs.json").times() != nil)
    }
}
