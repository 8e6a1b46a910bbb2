// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random keys, mouse and sizes on the screen while plug-ins are killed. Test thread.

import Foundation
import TestSupport
import Testing

@Suite(
    .timed("plays while keys are pressed"), .serialized, .timeLimit(.minutes(70)),
    .enabled(if: Machine.hasTerminals, "no terminal can be made here"))
struct RandomKeyTests {
    /// Eight seconds of keys, or as many as BULKHEAD_SCREEN_SECONDS says; `make deep` has an hour of them.
    private var seconds: Double {
        let environment = ProcessInfo.processInfo.environment
        let usual = environment["BULKHEAD_DEEP"] == nil ? 8.0 : 3600
        return environment["BULKHEAD_SCREEN_SECONDS"].flatMap(Double.init) ?? usual
    }

    @Test func keysMouseAndSizesBreakNothingWhilePlugInsAreKilled() throws {
        var random = RandomKeys()
        let bench = try Workbench()
        try bench.writeTone()
        let host = try bench.start(
            "play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Reverb", "-e", "Delay", "--report", "report.json")
        try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
        let terminal = try TmuxTerminal(bench, "bulkhead attach")
        #expect(terminal.awaits("● 3 Delay"))
        let deadline = ContinuousClock.now + .seconds(seconds)
        var (rounds, kills) = (0, 0)
        var last: [[UInt8]] = []
        while ContinuousClock.now < deadline, !bench.exists("after") {
            rounds += 1
            // Either any size and clicks far up, or high terminals and clicks anywhere: one into the last row may leave.
            let isHigh = rounds / 300 % 2 == 1
            if rounds % 300 == 0 {
                try terminal.resize(columns: 100, rows: 45)
                sleep(1)
            }
            last = last.suffix(20) + [random.keys(rows: isHigh ? 38 : 3)]
            try terminal.send(last.last ?? [])
            if rounds % 9 == 0 {
                try terminal.resize(columns: 20 + random.number(180), rows: isHigh ? 40 + random.number(20) : 5 + random.number(55))
            }
            if rounds % 25 == 0, let victim = ProcessTable.plugins(home: bench.folder).randomElement(using: &random.random) {
                kill(victim, SIGKILL)
                kills += 1
            }
        }
        print("\(rounds) rounds of keys, \(kills) plug-ins killed")
        let keys = last.map { String(reflecting: String(decoding: $0, as: UTF8.self)) }.joined(separator: " ")
        #expect(!bench.exists("after"), "the screen ended after \(rounds) rounds, the last of which were \(keys)")
        try terminal.resize(columns: 80, rows: 24)
        // Whatever is open or half typed: Escape twice, and the screen can be left.
        try terminal.send(Array("\u{1B}[201~".utf8))
        try terminal.press("Escape")
        usleep(200_000)
        try terminal.press("Escape")
        usleep(200_000)
        try terminal.press("C-c")
        #expect(terminal.awaitEnd() == "0")
        try terminal.expectRestored(showing: [])
        #expect(try bench.run("ctl", "status").status == 0, "the host has ended")
        terminal.close()
        host.send(SIGINT)
        host.wait(seconds: 10).expectSuccess()
        let report = try bench.report()
        #expect(report.ownMisses == 0 && report.cycles > 300, "\(report.ownMisses) of \(report.cycles) cycles missed")
    }
}

/// Keys of a user who presses anything, but does not leave.
private struct RandomKeys {
    var random = Seed()

    mutating func number(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }

    /// Keys, and clicks into so many rows.
    mutating func keys(rows: Int) -> [UInt8] {
        (0..<1 + number(6)).flatMap { _ -> [UInt8] in
            switch number(6) {
            case 0: [UInt8(0x20 + number(0x5F))].filter { $0 != UInt8(ascii: "q") }
            case 1: Array("apscbul<>?/\t\r \u{7F}0-9".utf8)[number(16)...].prefix(1).map { $0 }
            case 2: Array("\u{1B}[\(["A", "B", "C", "D", "H", "F", "3~", "5~", "6~", "1;2C", "1;2D", "Z"][number(12)])".utf8)
            case 3:
                Array(
                    "\u{1B}[<\([0, 32, 64, 65][number(4)]);\(1 + number(200));\(1 + number(rows))\(number(2) == 0 ? "M" : "m")"
                        .utf8)
            case 4: [0x1B]
            default: [UInt8(128 + number(128)), 0x12, UInt8(0x20 + number(0x5F))].filter { $0 != UInt8(ascii: "q") }
            }
        }
    }
}
