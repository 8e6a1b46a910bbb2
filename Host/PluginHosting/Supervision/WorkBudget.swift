// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A budget of processor time, for bursts and over time. Supervisor.

/// Saves up processor time and spends it, in nanoseconds.
///
/// A share of the passing time is added, up to a maximum. So a thread may work hard for a while, and moderately for ever.
struct WorkBudget {
    /// The share that is added, and the maximum, with which it starts.
    struct Terms {
        var share: Double
        var most: Double
    }

    private var savings: Double?

    /// Spends the work done while `length` passed; true if that was more than the savings.
    mutating func isSpent(by worked: Double, in length: Double, _ terms: Terms) -> Bool {
        let left = min(terms.most, (savings ?? terms.most) + terms.share * length - worked)
        savings = left
        return left < 0
    }
}
