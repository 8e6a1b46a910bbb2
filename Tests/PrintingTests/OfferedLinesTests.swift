// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lines for a standard error that takes nothing. Each test in a process of its own.

import Glibc
import Printing
import TestSupport
import Testing

@Suite struct OfferedLinesTests {
    private static func read(_ descriptor: Int32) -> String {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = Glibc.read(descriptor, &buffer, buffer.count), count > 0 { text += buffer.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    /// A writer that waits would never come back: nobody else reads.
    @Test func aFullPipeHoldsNobodyUpAndTheLossIsTold() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0 && dup2(ends[1], 2) == 2)
            let lines = OfferedLines(prefix: "host: ")
            let line = String(repeating: "x", count: 500)
            for _ in 0..<1000 { lines.offer(line) }
            let first = Self.read(ends[0])
            let count = first.count { $0 == "\n" }
            #expect(count > 100 && count < 200 && first.hasSuffix("x\n"))
            lines.offer("again")
            let notice = "host: \(1000 - count) lines are left out, because standard error took no more.\n"
            #expect(Self.read(ends[0]) == notice + "host: again\n")
            // Whether writes wait is not changed for the others that write there.
            #expect(fcntl(2, F_GETFL) & O_NONBLOCK == 0)
        }
    }

    @Test(.enabled(if: Machine.hasTerminals, "no terminal can be made here"))
    func aStoppedTerminalHoldsNobodyUp() async {
        await #expect(processExitsWith: .success) {
            var (keyboard, terminal): (Int32, Int32) = (-1, -1)
            try #require(openpty(&keyboard, &terminal, nil, nil, nil) == 0 && dup2(terminal, 2) == 2)
            let lines = OfferedLines()
            try #require(tcflow(terminal, TCOOFF) == 0)
            for _ in 0..<10 { lines.offer("unseen") }
            try #require(tcflow(terminal, TCOON) == 0)
            lines.offer("seen")
            #expect(Self.read(keyboard) == "10 lines are left out, because standard error took no more.\r\nseen\r\n")
        }
    }

    @Test func aClosedPipeHoldsNobodyUpEither() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let errors = dup(2)
            try #require(dup2(ends[1], 2) == 2)
            [ends[0], ends[1]].forEach { close($0) }
            for _ in 0..<10 { OfferedLines().offer("nobody") }
            dup2(errors, 2)
        }
    }
}
