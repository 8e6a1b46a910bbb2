// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `measure` counts of the threads that take part, with an effect that calls the kernel as a control. Any thread.

import Foundation
import Testing

@Suite struct MeasureCountsTests {
    private struct Facts: Decodable {
        struct Row: Decodable {
            let isolation: String
            let effects, threads: Int
            let voluntarySwitches, involuntarySwitches, minorFaults, majorFaults: Double
            let systemCalls, otherSystemCalls: Double?
        }
        let rows: [Row]
        let systemCallsOmitted: String?
    }

    private func facts(_ arguments: String, before: String = "", path: String? = nil) throws -> Facts {
        let run = try CommandRun("measure --json \(arguments)", before: before, path: path)
        try #require(run.status == 0, "\(run.output)")
        return try JSONDecoder().decode(Facts.self, from: Data(run.output.utf8))
    }

    /// A file system of the kernel's tracepoints, in a mount namespace of the command's own.
    private static let tracing = "unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing && exec env \"$@\"' sh"
    private static let mayTrace: Bool =
        system("\(tracing) test -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/id 2>/dev/null") == 0

    /// The first of a few runs that is as it should be, or the last.
    ///
    /// On a busy machine effects may be late, and what is late is waited for no longer.
    private func facts(
        _ arguments: String, before: String = "", path: String? = nil, until isGood: ([Facts.Row]) -> Bool
    ) throws -> Facts {
        for _ in 0..<5 {
            let facts = try facts(arguments, before: before, path: path)
            if isGood(facts.rows) { return facts }
        }
        return try facts(arguments, before: before, path: path)
    }

    @Test func everyEffectHasAThreadThatTakesPartAndSleeps() throws {
        func takesPart(_ row: Facts.Row) -> Bool {
            // Each goes to sleep for a hand-off, or is preempted by the one that it rings.
            row.voluntarySwitches + row.involuntarySwitches >= Double(row.effects)
        }
        let facts = try facts("--effects 1,3 --frames 1024 --cycles 500") { takesPart($0[1]) && takesPart($0[3]) }
        #expect(facts.rows.map(\.threads) == [1, 2, 1, 4])
        #expect(takesPart(facts.rows[1]) && takesPart(facts.rows[3]))
        for row in facts.rows where row.isolation == "in-process" { #expect(row.voluntarySwitches < 0.1) }
    }

    @Test func inSteadyStateNoPageIsMissing() throws {
        func isSteady(_ row: Facts.Row) -> Bool { row.minorFaults < 0.01 && row.majorFaults == 0 }
        let facts = try facts("--effects 1,3 --frames 1024 --cycles 500") { $0.allSatisfy(isSteady) }
        #expect(facts.rows.allSatisfy(isSteady))
    }

    @Test(.enabled(if: mayTrace, "this user may not trace system calls")) func theRenderPathCallsTheKernelForNothingButHandOffs()
        throws
    {
        func handsOff(_ row: Facts.Row) -> Bool { (row.systemCalls ?? 0) > 0.1 }
        let facts = try facts("--effects 1,3 --frames 1024 --cycles 100", before: Self.tracing) {
            handsOff($0[1]) && handsOff($0[3])
        }
        #expect(facts.systemCallsOmitted == nil)
        for row in facts.rows { #expect(row.otherSystemCalls == 0) }
        #expect(facts.rows[0].systemCalls == 0 && facts.rows[2].systemCalls == 0)
        #expect(handsOff(facts.rows[1]) && handsOff(facts.rows[3]))
    }

    @Test(.enabled(if: mayTrace, "this user may not trace system calls")) func anEffectThatReadsFilesWhileItRendersIsCaught() throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offence-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let library = "\(folder)/libOffender-render-thread.reads-files.so"
        try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: "\(CommandRun.root)/libOffender.so")
        let bundle = try CommandRun("bundle \(library) --folder \(folder)")
        try #require(bundle.status == 0, "\(bundle.output)")
        try #require(try CommandRun("trust 'Offender: render-thread.reads-files'", path: folder).status == 0)
        // Opening, reading and closing; a block that comes late is not counted in the cycle that it belongs to.
        func isCaught(_ row: Facts.Row) -> Bool { (row.otherSystemCalls ?? 0) >= 2.5 }
        let arguments = "-e 'Offender: render-thread.reads-files' --frames 1024 --cycles 100"
        let facts = try facts(arguments, before: Self.tracing, path: folder) { $0.allSatisfy(isCaught) }
        for row in facts.rows { #expect(isCaught(row), "\(row)") }
    }

    @Test func whatIsNotCountedIsNamed() throws {
        let facts = try facts("--frames 32 --cycles 60")
        let isCounted = facts.rows.allSatisfy { $0.systemCalls != nil }
        #expect(isCounted == (facts.systemCallsOmitted == nil))
        if let sentence = facts.systemCallsOmitted { #expect(sentence.hasPrefix("Couldn't ")) }
    }
}
