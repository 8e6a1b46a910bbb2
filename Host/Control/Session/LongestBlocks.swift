// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The longest block of a unit in the last seconds. The host's main thread.

/// The longest of the blocks of the last ten seconds.
struct LongestBlocks {
    private static let seconds = 10

    /// The longest block of each second, in nanoseconds.
    private var longest = [UInt64](repeating: 0, count: seconds)
    private var second: UInt64?

    /// Takes a block; blocks before the first call do not count.
    mutating func add(_ nanoseconds: UInt64, at now: UInt64) {
        let next = now / 1_000_000_000
        guard let second else {
            self.second = next
            return
        }
        // Cannot trap: `seconds` is a constant whole number.
        for passed in 0..<min(UInt64(Self.seconds), next &- second) {
            // Cannot trap: `seconds` is a constant whole number.
            longest[Int((next &- passed) % UInt64(Self.seconds))] = 0
        }
        self.second = next
        // Cannot trap: `seconds` is a constant whole number.
        let place = Int(next % UInt64(Self.seconds))
        longest[place] = max(longest[place], nanoseconds)
    }

    /// The longest block in nanoseconds; nil before the first one.
    var nanoseconds: UInt64? { longest.max().flatMap { $0 > 0 ? $0 : nil } }
}
