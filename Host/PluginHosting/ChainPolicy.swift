// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How long a chain waits for its units, and what it does about those that fail. Any thread.

/// The rules of one chain. They stay as they are for as long as it lives.
public struct ChainPolicy: Hashable, Sendable {
    /// The share of a cycle's length for which the host waits for the whole chain at most, counted from the start of the
    /// chain's render call. What is left of the cycle is the host's own, for mixing and for its way back to the driver.
    public var deadlineShare = 0.9

    /// The shares that can be asked for: the driver needs something of the cycle, and the units too.
    public static let deadlineShares = 0.05...0.95

    public init() {}

    /// The share after which whoever has not answered is late. Those that come after it in the chain are waited for in
    /// the sixth that is left.
    var lateShare: Double {
        @_noLocks get { deadlineShare * 5 / 6 }
    }
}
