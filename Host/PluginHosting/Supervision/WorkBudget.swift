// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much processor time may be taken, at once and over time. Supervisor.

/// Processor time that is saved up and taken out again, in nanoseconds.
///
/// A share of the time that passes is put in, up to a maximum. So a thread may work hard for a while, and
/// moderately for ever.
struct WorkBudget {
    /// The share that is put in, and the maximum, which it starts with.
    struct Terms {
        var share: Double
        var most: Double
    }

    private var savings: Double?

    /// Takes out what was worked while `length` passed; whether that was more than the savings.
    mutating func isSpent(by worked: Double, in length: Double, _ terms: Terms) -> Bool {
        let left = min(terms.most, (savings ?? terms.most) + terms.share * length - worked)
        savings = left
        return left < 0
    }
}
