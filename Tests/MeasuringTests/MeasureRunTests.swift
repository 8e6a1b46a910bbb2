// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// `measure` from end to end, in a process of its own: the shape of what it prints, not its figures. Any thread.

import Foundation
import Glibc
import Testing

@Suite struct MeasureRunTests {
    private struct Facts: Decodable {
        struct Floor: Decodable { let placement: String, effects: Int, minUs, p50us, p99us, p999us, maxus: Double }
        struct Row: Decodable {
            let isolation: String
            let effects, frames, threads: Int
            let minUs, p50us, p99us, p999us, maxus, overheadPerEffectUs, ratioToFloor: Double
        }
        struct Noise: Decodable { let floorP99OverP50, batchMedianSpread, missedShare, stolenShare: Double }
        let scheduling: String
        let branches, cycles: Int
        let floors: [Floor]
        let verdict: String
        let noise: Noise
        let rows: [Row]
    }

    private struct StartupFacts: Decodable {
        let starts, atOnce: Int
        let p50ms, p99ms, privateKiB, proportionalKiB: Double
    }

    @Test func theFiguresComeAsJSON() throws {
        let run = try CommandRun("measure --effects 2 --frames 32,64 --cycles 60 --json")
        #expect(run.status == 0)
        let facts = try JSONDecoder().decode(Facts.self, from: Data(run.output.utf8))
        #expect(["SCHED_FIFO", "SCHED_OTHER"].contains(facts.scheduling))
        #expect(facts.cycles == 60)
        #expect(facts.rows.map(\.effects) == [1, 1, 1, 1, 2, 2, 2, 2])
        #expect(facts.rows.map(\.frames) == [32, 32, 64, 64, 32, 32, 64, 64])
        let both = ["in-process", "out-of-process"]
        #expect(facts.rows.map(\.isolation) == both + both + both + both)
        for row in facts.rows {
            #expect(0 < row.minUs && row.minUs <= row.p50us && row.p50us <= row.p99us && row.p99us <= row.maxus)
        }
        #expect(facts.floors.map(\.placement) == ["together", "together"] && facts.floors.map(\.effects) == [1, 2])
        for floor in facts.floors { #expect(0 < floor.minUs && floor.minUs <= floor.p50us && floor.p50us <= floor.maxus) }
        #expect(facts.verdict.hasPrefix("This machine was ") && facts.noise.stolenShare >= 0)
    }

    @Test func whatIsNotTrustedIsMeasuredOutOfProcessAlone() throws {
        let run = try CommandRun("measure -e Delay --frames 32 --cycles 60 --json")
        #expect(run.status == 1 && run.output.contains("Run: bulkhead trust aufx:dlay:blkh"), "\(run.output)")
        let end = try #require(run.output.range(of: "\nbulkhead: ")?.lowerBound)
        let json = try JSONSerialization.jsonObject(with: Data(run.output[..<end].utf8))
        let report = try #require(json as? [String: Any])
        let rows = try #require(report["rows"] as? [[String: Any]])
        #expect(rows.count == 1 && rows[0]["isolation"] as? String == "out-of-process" && rows[0]["p50us"] is Double)
        #expect(rows[0]["overheadPerEffectUs"] == nil && report["inProcessOmitted"] is String)
    }

    @Test func effectsThatShareAProcessAreMeasuredToo() throws {
        let run = try CommandRun("measure --effects 3,4 --frames 32 --cycles 60 --isolation together --json")
        #expect(run.status == 0)
        let facts = try JSONDecoder().decode(Facts.self, from: Data(run.output.utf8))
        #expect(facts.rows.map(\.isolation) == ["in-process", "together", "in-process", "together"])
        for row in facts.rows { #expect(0 < row.p50us && row.p50us <= row.maxus) }
    }

    @Test func chainsAreMeasuredSideBySide() throws {
        let run = try CommandRun("measure --effects 2 --branches 3 --frames 32 --cycles 60 --json")
        #expect(run.status == 0)
        let facts = try JSONDecoder().decode(Facts.self, from: Data(run.output.utf8))
        #expect(facts.branches == 3 && facts.rows.map(\.effects) == [2, 2] && facts.rows.map(\.threads) == [1, 7])
    }

    @Test func startingIsMeasuredOnItsOwn() throws {
        let run = try CommandRun("measure --startup 2 --json")
        let facts = try JSONDecoder().decode(StartupFacts.self, from: Data(run.output.utf8))
        #expect(facts.starts == 2 && 0 < facts.p50ms && facts.p50ms <= facts.p99ms)
        #expect(facts.privateKiB > 0 && facts.proportionalKiB > 0)
    }

    @Test func severalAreStartedAtOnce() throws {
        let run = try CommandRun("measure --startup 1 --at-once 4 --json")
        let facts = try JSONDecoder().decode(StartupFacts.self, from: Data(run.output.utf8))
        #expect(facts.starts == 1 && facts.atOnce == 4 && 0 < facts.p50ms && facts.privateKiB > 0)
        let table = try CommandRun("measure --startup 1 --at-once 4")
        #expect(table.output.contains("1 starts of 4 at once"))
    }

    @Test func peopleGetATable() throws {
        let run = try CommandRun("measure --frames 32 --cycles 50 --processor any --period 300")
        #expect(run.status == 0)
        for word in ["futex floor", "out-of-process", "each effect", "one every 300 µs", "slept", "This machine was"] {
            #expect(run.output.contains(word))
        }
    }

    @Test func anUnknownEffectEndsWithASentence() throws {
        let run = try CommandRun("measure -e Gian")
        #expect(run.status == 1 && run.output.contains("Gian"))
    }

    @Test func thePeerIsNotForPeople() throws {
        let run = try CommandRun("measure --floor-peer 3<&-")
        #expect(run.status == 2 && run.output.contains("own use"))
    }

    @Test(arguments: [SIGINT, SIGKILL]) func nobodyIsLeftBehind(signal: Int32) throws {
        let run = try CommandRun(
            """
            measure --effects 2 --cycles 900000 & P=$!; sleep 1; C=$(cat /proc/$P/task/*/children)
            peers() { for c in $C; do cat /proc/$c/cmdline 2>/dev/null | tr '\\0' ' '; done; }
            peers; echo ---; kill -\(signal) $P; wait $P; echo status $?; sleep 0.3; peers
            """)
        let parts = run.output.split(separator: "---")
        try #require(parts.count == 2, "\(run.output)")
        #expect(parts[0].contains("Gain.bulkhead") && parts[0].contains("floor-peer"))
        #expect(parts[1].contains(signal == SIGINT ? "status 130" : "status 137"))
        #expect(!parts[1].contains("Gain.bulkhead") && !parts[1].contains("floor-peer"))
    }
}
