// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processor time of a process: of its render threads, and of all others. Supervisor.

/// Checks regularly how much processor time a process has taken.
///
/// A render thread whose unit is in time works while the host waits for the row, and sleeps otherwise. A thread that works on is
/// *restless*. At its rank it keeps the units below it from the processor. The kernel leaves a twentieth of each second to
/// ordinary threads, and takes that from the host as well. The work of other render threads does not count. The work of all
/// remaining threads, and of restless ones, comes out of the process's budget.
///
/// The check trusts only the kernel's count and the host's own, and no value that the process stores. A unit that starves others
/// of its row makes the host wait for them. But a unit that is in time cannot work for more than a certain share. A late unit,
/// which is another fault, works on when the host no longer waits: its work without its placement does not count.
struct ProcessWork {
    /// The limits of work.
    struct Terms {
        /// The limits of a render thread, independent of the host's waits; nil if render threads need not sleep.
        ///
        /// `most` must cover a block that is not over yet.
        var rendering: WorkBudget.Terms?
        /// The limits of all other threads together.
        var others: WorkBudget.Terms
    }

    /// The findings of a check.
    struct Findings: Equatable {
        /// The numbers of the units whose render threads have become restless, and of units that sleep again.
        var restless: [Int] = []
        var calm: [Int] = []
        /// True if the process has used up its budget.
        var isSpent = false
    }

    /// The counts at one moment in nanoseconds, each from an origin of its own.
    struct Reading {
        var time: UInt64
        /// The processor time of all threads of the process together.
        var worked: UInt64
        /// The time for which the host has waited for the row.
        var awaited: UInt64
    }

    /// The counts of a render thread, in nanoseconds.
    struct Account {
        /// Its processor time.
        var ran: UInt64
        /// The time for which it was ready to run but had no processor.
        var waited: UInt64
        /// The processor time that it took without its placement on the render core.
        var unplaced: UInt64
    }

    private struct RenderThread {
        var account: Account
        var budget = WorkBudget()
    }

    /// The share of a processor below which no thread of a process can be at fault.
    private static let innocentShare = 0.5
    /// A share above that of waking up and falling asleep.
    private static let wakingShare = 0.1

    /// Counts how often a unit has become restless without a minute's rest between.
    ///
    /// The count decides how long the unit must then be calm.
    private struct Relapses {
        private static let (forgottenNanoseconds, most): (UInt64, Int) = (60_000_000_000, 8)

        private var count = 0
        private var looks = 0
        private var calmSince: UInt64?

        mutating func begin(at time: UInt64) {
            if let calmSince { count = time > calmSince + Self.forgottenNanoseconds ? 0 : min(Self.most, count + 1) }
            looks = 0
        }

        /// Notes a check of a restless unit; true if it has slept in enough checks, which are twice as many as the last time.
        mutating func hasCalmed(isAsleep: Bool, at time: UInt64) -> Bool {
            looks = isAsleep ? looks + 1 : 0
            guard looks >= 1 << count else { return false }
            calmSince = time
            return true
        }
    }

    private var last: Reading?
    private var budget = WorkBudget()
    /// The render threads by the unit's number, while the process works much.
    private var threads: [Int: RenderThread] = [:]
    /// The units whose render threads do not sleep.
    private(set) var restless: Set<Int> = []
    private var relapses: [Int: Relapses] = [:]

    /// Forgets the counts, because no check follows for a while.
    ///
    /// Restless units stay so until a check shows that they sleep.
    mutating func pause() { (last, budget, threads) = (nil, WorkBudget(), [:]) }

    /// Evaluates a reading.
    ///
    /// `readAccounts` returns the counts of each unit's render thread, and is called only if the process works much.
    mutating func look(_ reading: Reading, _ terms: Terms, readAccounts: () -> [Int: Account]) -> Findings {
        defer { last = reading }
        var findings = Findings()
        guard let last, reading.worked >= last.worked, reading.time > last.time else { return findings }
        let (length, all) = (Double(reading.time - last.time), Double(reading.worked - last.worked))
        let awaitedShare = Double(reading.awaited &- last.awaited) / length
        let rendering = terms.rendering.map {
            WorkBudget.Terms(share: min($0.share, awaitedShare + Self.wakingShare), most: $0.most)
        }
        // A restless thread may have to share its processor, and get little of it.
        guard all > min(Self.innocentShare, terms.others.share) * length || !restless.isEmpty else {
            _ = budget.isSpent(by: all, in: length, terms.others)
            threads = [:]
            return findings
        }
        let before = threads
        threads = readAccounts().mapValues { RenderThread(account: $0) }
        // Without an earlier account there is nothing to judge yet.
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
                // A thread that shares its processor may get little of it without sleeping. The kernel adds its waiting time when
                // it runs again.
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
