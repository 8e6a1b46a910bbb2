// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the threads of a process work: those that render, and the others. Supervisor.

/// Looks now and then how much processor time a process has taken.
///
/// A render thread whose unit is in time works for a part of each cycle and sleeps for the rest. One that works on is *restless*:
/// at its rank it keeps the units below it from the processor, and the kernel, which leaves a twentieth of each second to ordinary
/// threads, takes that from the host as well. What render threads work that are not is their trade; what all others work comes out
/// of the process's budget.
///
/// Only the kernel's own count is relied on; nothing that the process says.
struct ProcessWork {
    /// How much is too much.
    struct Terms {
        /// Of a render thread. What there can be at most has to bear a block that takes its whole share of a long cycle.
        var rendering: WorkBudget.Terms
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

    private struct RenderThread {
        var ran: UInt64
        var budget = WorkBudget()
    }

    /// The share of a processor below which nobody in a process can have done anything wrong.
    private static let innocentShare = 0.5

    private var last: (time: UInt64, worked: UInt64)?
    private var budget = WorkBudget()
    /// By the unit's index; only while the process works much.
    private var threads: [Int: RenderThread] = [:]
    /// The units whose render threads do not sleep.
    private(set) var restless: Set<Int> = []

    /// Takes note of what all threads of the process together have `worked` until `time`; nanoseconds. `readRan` tells the same
    /// of each unit's render thread, and is asked only when the process works much.
    mutating func look(at time: UInt64, worked: UInt64, _ terms: Terms, readRan: () -> [Int: UInt64]) -> Findings {
        defer { last = (time, worked) }
        var findings = Findings()
        guard let last, worked >= last.worked, time > last.time else { return findings }
        let (length, all) = (Double(time - last.time), Double(worked - last.worked))
        guard all > min(Self.innocentShare, terms.others.share) * length else {
            _ = budget.isSpent(by: all, in: length, terms.others)
            findings.calm = restless.sorted()
            (threads, restless) = ([:], [])
            return findings
        }
        let before = threads
        threads = readRan().mapValues { RenderThread(ran: $0) }
        // Where nothing is known from before there is nothing to be judged yet.
        var trade = before.isEmpty ? all : 0
        for index in threads.keys.sorted() {
            guard let first = before[index], let ran = threads[index]?.ran, ran >= first.ran else { continue }
            threads[index]?.budget = first.budget
            let worked = Double(ran - first.ran)
            if restless.contains(index) {
                guard worked < Self.innocentShare * length else { continue }
                restless.remove(index)
                findings.calm.append(index)
            } else if threads[index]?.budget.isSpent(by: worked, in: length, terms.rendering) == true {
                restless.insert(index)
                threads[index]?.budget = WorkBudget()
                findings.restless.append(index)
            }
            trade += worked
        }
        findings.isSpent = budget.isSpent(by: max(0, all - trade), in: length, terms.others)
        return findings
    }
}
