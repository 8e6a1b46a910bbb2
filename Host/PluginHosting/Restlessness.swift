// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds a render thread that does not go to sleep after its blocks. Supervisor.

/// Looks whether a process runs while nobody waits for it, and if so, whether it is one of its render threads that does.
///
/// Such a thread keeps all others of less rank from its processor, and the kernel, which leaves a twentieth of each second to
/// ordinary threads, takes that from the host as well. Where it does not sleep at all the kernel ends it, by
/// `ResourceLimits.realtimeMicroseconds`; where it naps now and then it is found here.
struct Restlessness {
    /// What a render thread has done so far.
    struct Account: Equatable {
        /// Nanoseconds for which it has had a processor.
        var ran: UInt64
        /// Blocks in which something stood in for the unit. One that is late works when nobody waits any more, and that is
        /// another fault.
        var replacedBlockCount: UInt64
    }

    /// The share of time that neither waking up nor falling asleep takes.
    private static let share = 0.25

    private var last: WorkBudget.Reading?
    /// Those of the units, by index, while the process is under suspicion.
    private var accounts: [Int: Account] = [:]

    /// Takes a reading; the unit whose thread has run on, if there is one. `accounts` is asked for under suspicion only.
    mutating func culprit(_ reading: WorkBudget.Reading, _ accounts: () -> [Int: Account]) -> Int? {
        defer { last = reading }
        guard let last, reading.worked >= last.worked else {
            self.accounts = [:]
            return nil
        }
        let most = Self.share * Double(reading.time - last.time) + Double(reading.awaited &- last.awaited)
        guard Double(reading.worked - last.worked) > most else {
            self.accounts = [:]
            return nil
        }
        let before = self.accounts
        self.accounts = accounts()
        return self.accounts.first { index, now in
            guard let before = before[index], before.replacedBlockCount == now.replacedBlockCount else { return false }
            return Double(now.ran) - Double(before.ran) > most
        }?.key
    }
}
