// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The screen of a host as a picture. Test thread.

import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct ScreenPictureTests {
        @Test func theScreenOfAHostIsSavedWithTheViewOfANode() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let host = try bench.start(["play", "in.wav", "--driver", "null", "--loop", "-e", "Gain", "-e", "Filter"])
            defer { host.send(SIGINT) }
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            let words = ["attach", "--picture", "screen.txt", "--size", "90x24"]
            #expect(try bench.run(words).status == 0)
            var lines = String(decoding: bench.bytes("screen.txt"), as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.count <= 24 && lines.contains { $0.contains("● 2 Filter") } && lines.contains { $0.contains("0 dB") })
            #expect(try bench.run(words + ["--node", "Filter", "--view"]).status == 0)
            lines = String(decoding: bench.bytes("screen.txt"), as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.contains("Cutoff 1000 Hz   Resonance 0 dB") })
            #expect(try bench.run("attach", "--picture", "screen.png").status == 0)
            #expect(Array(bench.bytes("screen.png").prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
            for (words, status, reason) in [
                (["attach", "--view"], Int32(2), "--picture"), (["attach", "--picture", "a.gif"], 2, ".svg, .png or .txt"),
                (["attach", "--picture", "a.svg", "--size", "9x9"], 2, "at least"),
                (["attach", "--picture", "a.svg", "--node", "Nothing"], 1, "no node \"Nothing\""),
            ] {
                let outcome = try bench.run(words)
                #expect(outcome.status == status && outcome.errors.contains(reason), "\(words): \(outcome.errors)")
            }
        }
    }
}
