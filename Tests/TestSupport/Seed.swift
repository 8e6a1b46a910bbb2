// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random numbers that can be repeated: the seed is printed, and read back from BULKHEAD_SEED. Any thread.

import Glibc

/// Random numbers from the seed of this run.
package struct Seed: RandomNumberGenerator {
    /// The value of BULKHEAD_SEED, or a new number; printed, so that a failure can be repeated.
    package static let chosen: UInt64 = {
        let given = getenv("BULKHEAD_SEED").flatMap { UInt64(String(cString: $0)) }
        let seed = given ?? UInt64.random(in: 0 ... .max)
        print("Random tests use the seed \(seed); repeat with BULKHEAD_SEED=\(seed).")
        return seed
    }()

    private var random = SeededRandom(seed: chosen)

    /// Starts at the run's seed.
    package init() {}

    /// The next random number.
    package mutating func next() -> UInt64 { random.next() }
}
