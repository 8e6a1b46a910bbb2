// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the threads of a process work: those that render, and the others. Supervisor.

/// Looks now and then how much processor time a process has taken.
///
/// A render thread whose unit is in time works while the host waits for the chain, and sleeps for the rest. One that works on is
/// *restless*: at its rank it keeps the units below it from the processor, and the kernel, which leaves a twentieth of each second to ordinary
/// threads, takes that from the host as well. What render threads work that are not is their trade; what all others work comes out
/// of the process's budget.
///
/// Only the kernel's count and the host's own are relied on; nothing that the process says. Whoever starves others of its chain has
/// the host wait for those; but nobody who is in time can work for more than a certain share. And one that is late, which is another
/// fault, works on when nobody waits any more: what it works without its seat is not held against it.
struct ProcessWork {
    /// How much is too much.
    struct Terms {
        /// Of a render thread, whatever the host waits for. What there can be at most has to bear a block that is not over yet.
        /// Nil where render threads are not to sleep.
        var rendering: WorkBudget.Terms?
        /// Of all other threads together.
        var others: WorkBudget.Terms
    }

    /// What a look has shown.
    struct Findings: Equatable {
        /// Units whose render threads have become restless, and those that are so no more.
        var restless: [Int] = []
        var calm: [Int] = []
        /// The process has used up its budget.
        var isSpent = false
    }

    /// What there is to read at one moment; nanoseconds, and all but the time since whenever.
    struct Reading {
        var time: UInt64
        /// The processor time of all threads of the process together.
        var worked: UInt64
        /// For how long the host has waited for the chain.
        var awaited: UInt64
    }

    /// What there is to read of a render thread.
    struct Account {
        /// Its processor time.
        var ran: UInt64
        /// For how long it had no processor although it would have run.
        var waited: UInt64
        /// What of that it has taken while it had no seat on the render core.
        var unplaced: UInt64
    }

    private struct RenderThread {
        var account: Account
        var budget = WorkBudget()
    }

    /// The share of a processor below which nobody in a process can have done anything wrong.
    private static let innocentShare = 0.5
    /// More than the share that it takes to wake up and to fall asleep.
    private static let wakingShare = 0.1

    /// How often a unit has become restless without a minute's rest in between, and what is asked of it then.
    private struct Relapses {
        private static let (forgottenNanoseconds, most): (UInt64, Int) = (60_000_000_000, 8)

        private var count = 0
        private var looks = 0
        private var calmSince: UInt64?

        mutating func begin(at time: UInt64) {
            if let calmSince { count = time > calmSince + Self.forgottenNanoseconds ? 0 : min(Self.most, count + 1) }
            looks = 0
        }

        /// A look at a restless unit; whether it has slept often enough, twice as often as the last time.
        mutating func hasCalmed(isAsleep: Bool, at time: UInt64) -> Bool {
            looks = isAsleep ? looks + 1 : 0
            guard looks >= 1 << count else { return false }
            calmSince = time
            return true
        }
    }

    private var last: Reading?
    private var budget = WorkBudget()
    /// By the unit's index; only while the process works much.
    private var threads: [Int: RenderThread] = [:]
    /// The units whose render threads do not sleep.
    private(set) var restless: Set<Int> = []
    private var relapses: [Int: Relapses] = [:]

    /// Nobody looks for a while. Who is restless stays so until a look has shown that it sleeps.
    mutating func pause() { (last, budget, threads) = (nil, WorkBudget(), [:]) }

    /// Takes note of a reading. `readAccounts` tells of each unit's render thread, and is asked only when the process works much.
    mutating func look(_ reading: Reading, _ terms: Terms, readAccounts: () -> [Int: Account]) -> Findings {
        defer { last = reading }
        var findings = Findings()
        guard let last, reading.worked >= last.worked, reading.time > last.time else { return findings }
        let (length, all) = (Double(reading.time - last.time), Double(reading.worked - last.worked))
        let awaitedShare = Double(reading.awaited &- last.awaited) / length
        let rendering = terms.rendering.map {
            WorkBudget.Terms(share: min($0.share, awaitedShare + Self.wakingShare), most: $0.most)
        }
        // Who is restless may have to share its processor, and get little of it.
        guard all > min(Self.innocentShare, terms.others.share) * length || !restless.isEmpty else {
            _ = budget.isSpent(by: all, in: length, terms.others)
            threads = [:]
            return findings
        }
        let before = threads
        threads = readAccounts().mapValues { RenderThread(account: $0) }
        // Where nothing is known from before there is nothing to be judged yet.
        var trade = before.isEmpty ? all : 0
        for index in threads.keys.sorted() {
            guard let first = before[index], let account = threads[index]?.account, account.ran >= first.account.ran else {
                continue
            }
            let worked = Double(account.ran - first.account.ran)
            let unplaced = account.unplaced > first.account.unplaced ? account.unplaced - first.account.unplaced : 0
            let placed = max(0, worked - Double(unplaced))
            threads[index]?.budget = first.budget
            guard let rendering else {
                trade += worked
                continue
            }
            if restless.contains(index) {
                // Who shares its processor with others may get little of it, and does not sleep for that. How long it has waited the
                // kernel counts when it runs again.
                guard worked > 0 else { continue }
                let waited = Double(account.waited &- first.account.waited)
                let isAsleep = worked + waited < rendering.share * length
                guard relapses[index, default: Relapses()].hasCalmed(isAsleep: isAsleep, at: reading.time) else {
                    if isAsleep { trade += worked }
                    continue
                }
                restless.remove(index)
                findings.calm.append(index)
            } else if threads[index]?.budget.isSpent(by: placed, in: length, rendering) == true {
                restless.insert(index)
                relapses[index, default: Relapses()].begin(at: reading.time)
                threads[index]?.budget = WorkBudget()
                findings.restless.append(index)
            }
            trade += worked
        }
        findings.isSpent = budget.isSpent(by: max(0, all - trade), in: length, terms.others)
        return findings
    }
}
