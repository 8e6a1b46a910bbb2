// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The peer, from end to end in a private PipeWire: the shape of its output, and that it notices what is wrong. Any thread.

import BenchmarkSupport
import TestSupport
import Testing

/// Named so that it runs with the other tests of benchmarks.
@Suite(.timed("plays graphs in a PipeWire of its own"), .serialized, .timeLimit(.minutes(2))) struct PipeWireChainBenchmarkTests {
    private func chain(_ words: String) -> BenchmarkCommand {
        BenchmarkCommand(["\(Build.folder)/PipeWireChain"] + words.split(separator: " ").map(String.init))
    }

    @Test(arguments: ["together", "default"])
    func theSoundPassesThroughEachFilterAndItsTimeIsTold(placement: String) throws {
        let command = chain("--effects 3 --cycles 50 --placement \(placement) --json")
        // Without ranks a busy machine lets filters miss cycles, which is no figure.
        var printed: (output: String?, status: Int32) = (nil, 1)
        let hasRun = Patience.succeeds {
            printed = command.run()
            return printed.status == 0
        }
        #expect(hasRun)
        let report: PeerReport = try Figures.decode(from: try #require(printed.output), printedBy: command.text)
        #expect(report.placement == placement)
        #expect((report.processor == nil) == (placement == "default"))
        #expect(report.rows.map(\.isolation) == [.inProcess, .individually])
        // Three filters, the ends of the chain, and the daemon.
        #expect(report.realtimePriorities.count >= 5)
        if placement == "together", report.scheduling == "SCHED_FIFO" {
            #expect(report.realtimePriorities.prefix(5) == [57, 58, 59, 60, 61])
        }
        let row = try report.row(effects: 3)
        #expect(0 < row.p50us && row.p50us <= row.p99us && row.p99us <= row.maxus)
        #expect(row.overheadPerEffectUs > 0)
        #expect(throws: BenchmarkError.self) { try report.row(effects: 4) }
    }

    @Test(arguments: ["gain", "link"])
    func aChainThatTheSoundDoesNotPassThroughIsNoFigure(sabotage: String) {
        let run = chain("--effects 3 --cycles 50 --sabotage \(sabotage) --json").run()
        #expect(run.status == 1)
        #expect(run.output?.isEmpty == true)
    }

    @Test(arguments: ["--effects 0", "--quantum 8", "--placement here", "--sabotage all", "--cycles", "--client x", "4"])
    func nonsenseIsRefused(words: String) {
        let run = chain(words).run()
        #expect(run.status == 2)
        #expect(run.output?.isEmpty == true)
    }
}
