// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process may work besides rendering. Supervisor.

/// What a process has left of the processor time that it may take while nobody waits for it to render: worker threads that
/// load or compute something, and a render thread that does not go to sleep after its block.
///
/// A share of the time that passes is put in, up to so much, and what is worked is taken out. So it may work hard for a
/// while, as when a large file is loaded, and moderately for ever.
struct WorkBudget {
    /// What the process had worked, and what had been waited for it, at one moment; all in nanoseconds.
    struct Reading {
        var time: UInt64
        /// Processor time of all its threads.
        var worked: UInt64
        /// How long the host has waited for the chain. No unit of it has an honest reason to render at another time.
        var awaited: UInt64
    }

    private var last: Reading?
    private var savings: Double = 0

    /// Takes a reading; whether more has been worked than there was.
    mutating func isSpent(_ reading: Reading, share: Double, mostNanoseconds most: Double) -> Bool {
        guard let last, reading.worked >= last.worked else {
            // The first of this process.
            self.last = reading
            savings = most
            return false
        }
        self.last = reading
        let rendered = Double(reading.awaited &- last.awaited)
        let worked = max(0, Double(reading.worked - last.worked) - rendered)
        savings = min(most, savings + share * Double(reading.time - last.time) - worked)
        return savings < 0
    }
}
