// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The counts of a render thread's calls, by kind and with the first caller. Test thread.

import PluginHosting
import Testing

@testable import Validation

@Suite(.serialized) struct RenderWatchTests {
    private func renderThread(_ component: Component) throws -> CaseReport {
        defer { removeTracks() }
        return try #require(try validate([component], cases: ["render-thread"]).first?.cases.first)
    }

    /// The unit makes each call once in each render call, of which there is one a block or more.
    @Test(arguments: [
        ("allocates", ["allocations", "releases"], "allocated memory", "malloc"),
        ("locks", ["locks"], "took a lock", "pthread_mutex_lock"),
        ("reads-files", ["opens", "reads"], "read from a file", "read"),
        ("sleeps", ["sleeps"], "went to sleep", "nanosleep"),
    ])
    func eachKindIsCountedAndItsFirstOffenderNamed(offence: String, kinds: [String], phrase: String, first: String) throws {
        let report = try renderThread(Offenders.component("render-thread.\(offence)"))
        #expect(report.verdict == .warning)
        let renders = try #require(report.facts["rendersWatched"])
        #expect(renders >= 120)
        for kind in kinds { #expect(try #require(report.facts[kind]) >= renders, "\(kind): \(report.line)") }
        #expect(Set(report.facts.keys) == Set(kinds + ["rendersWatched"]), "\(report.line)")
        #expect(
            report.findings.contains {
                $0.sentence.contains(phrase) && $0.sentence.contains("\(first) called by libOffender-render-thread.\(offence).so")
            }, "\(report.line)")
    }

    @Test func aCountThatNobodyCanReachIsNonsenseAndANameSteersNoTerminal() throws {
        let watch = try RenderWatch()
        watch.memory.base.storeBytes(of: 120, toByteOffset: 8, as: UInt64.self)
        watch.memory.base.storeBytes(of: 7, toByteOffset: 16, as: UInt64.self)
        for (index, byte) in "\u{1B}[2Jmalloc\u{202E}".utf8.enumerated() {
            watch.memory.base.storeBytes(of: byte, toByteOffset: 24 + index, as: UInt8.self)
        }
        let counts = try #require(watch.counts)
        #expect(counts.renderCount == 120 && counts.offences.map(\.count) == [7])
        #expect(counts.offences.map(\.first) == [" [2Jmalloc "])
        for offset in [8, 16] {
            let before = watch.memory.base.load(fromByteOffset: offset, as: UInt64.self)
            watch.memory.base.storeBytes(of: .max, toByteOffset: offset, as: UInt64.self)
            #expect(watch.counts == nil)
            watch.memory.base.storeBytes(of: before, toByteOffset: offset, as: UInt64.self)
        }
    }

    @Test func whoDoesNothingForbiddenCountsZero() throws {
        let report = try renderThread(Offenders.component("none"))
        #expect(report.verdict == .pass && report.facts == ["rendersWatched": 120])
    }

    @Test func whoDoesNotSayWhenItRendersIsNotWatched() throws {
        let report = try renderThread(Offenders.effect("aufx:trmu:test"))
        #expect(report.verdict == .pass && report.facts == ["rendersWatched": 0])
        #expect(report.remarks == ["It does not say when it renders, so that nothing can be watched."])
    }
}
