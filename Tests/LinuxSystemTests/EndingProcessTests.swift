// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that the kernel is about to end is told from one that lives. Test thread.

import Glibc
import Testing

@testable import LinuxSystem

@Suite struct EndingProcessTests {
    /// A line of `stat` with a state, flags and waiting signals.
    private func line(_ state: String = "S", flags: Int = 0x40_0040, signals: Int = 0) -> String {
        let middle = Array(repeating: "0", count: 21).joined(separator: " ")
        return "7 (a) S 4) \(state) 1 7 7 0 -1 \(flags) \(middle) \(signals) 0 0 0 17 3\n"
    }

    @Test func eachSignOfAnEndCounts() {
        #expect(!EndingProcess.isEnding(stat: line()) && !EndingProcess.isEnding(stat: line("T", signals: 1 << 14)))
        for state in ["Z", "X"] { #expect(EndingProcess.isEnding(stat: line(state))) }
        #expect(EndingProcess.isEnding(stat: line(flags: 0x40_0044)) && EndingProcess.isEnding(stat: line(flags: 0x40_0240)))
        #expect(EndingProcess.isEnding(stat: line("D", signals: 1 << 8)))
        #expect(!EndingProcess.isEnding(stat: "") && !EndingProcess.isEnding(stat: "7 (a) Z"))
    }

    @Test func aRealProcessLivesUntilItIsKilled() throws {
        var (process, arguments): (pid_t, [UnsafeMutablePointer<CChar>?]) = (0, [strdup("sleep"), strdup("1000"), nil])
        defer { for argument in arguments { free(argument) } }
        try #require(posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, nil) == 0)
        #expect(!EndingProcess.isEnding(process) && !EndingProcess.isEnding(getpid()))
        kill(process, SIGKILL)
        var info = siginfo_t()
        // Waits for the end, and leaves the process there.
        #expect(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) == 0)
        #expect(EndingProcess.isEnding(process))
        waitpid(process, nil, 0)
    }
}
