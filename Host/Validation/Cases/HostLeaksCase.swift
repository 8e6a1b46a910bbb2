// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The resources that a unit leaves in the host. Thread of the case.

import Confinement
import Glibc
import LinuxSystem
import PluginHosting

struct HostLeaksCase: ValidationCase {
    static let name = "host-leaks"
    static let summary = "opened and closed again and again it leaves no process and no descriptor behind"
    static let patience = 2.0
    private static let rounds = 100
    private static let fewest = 10
    private static let budget: UInt64 = 250_000_000

    static func run(_ trial: Trial) throws(CaseEnd) {
        // A process that loses its parent here becomes this one's child, and is counted.
        ChildProcess.adoptOrphans()
        try round(trial)
        let before = Census(getpid())
        let started = MonotonicClock.now()
        var count = 0
        trial.doing("being opened and closed")
        while count < rounds, count < fewest || MonotonicClock.now() < started + budget {
            try round(trial)
            count += 1
        }
        trial.fact("rounds", Double(count))
        judge(before, settled(threadCount: before.threadCount), count, trial)
    }

    private static func round(_ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, try trial.open())
        _ = try bench.renderNoise(256)
        try bench.close()
    }

    /// Counts once the ending processes, and all threads above `threadCount`, have ended.
    private static func settled(threadCount: Int) -> Census {
        var census = Census(getpid())
        for _ in 0..<50 where !census.children.isEmpty || census.threadCount > threadCount {
            Futex.pause(microseconds: 10_000)
            while waitpid(-1, nil, WNOHANG) > 0 {}
            census = Census(getpid())
        }
        return census
    }

    private static func judge(_ before: Census, _ after: Census, _ count: Int, _ trial: Trial) {
        if !after.children.isEmpty {
            let left = Wording.count(after.children.count, "process", "processes")
            trial.fail("\(count) times it was opened and closed, and it has left \(left) running.")
            after.children.forEach { kill($0, SIGKILL) }
        }
        for (what, old, new) in [
            ("descriptor", before.descriptorCount, after.descriptorCount), ("thread", before.threadCount, after.threadCount),
        ] where new - old >= max(2, count / 4) {
            trial.fail("\(count) times it was opened and closed, and the host keeps \(Wording.count(new - old, what)) of it.")
        }
    }
}
