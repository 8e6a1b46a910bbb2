// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much processor time may be taken, at once and for long. Supervisor.

/// Processor time that is saved up and taken out again: a share of the time that passes is put in, up to so much. So somebody
/// may work hard for a while, and moderately for ever. Times are nanoseconds.
struct WorkBudget {
    /// The share that is put in, and the most that there can be; it is full to begin with.
    struct Terms {
        var share: Double
        var most: Double
    }

    private var savings: Double?

    /// Takes out what was worked while `length` passed; whether that was more than there was.
    mutating func isSpent(by worked: Double, in length: Double, _ terms: Terms) -> Bool {
        let left = min(terms.most, (savings ?? terms.most) + terms.share * length - worked)
        savings = left
        return left < 0
    }
}
