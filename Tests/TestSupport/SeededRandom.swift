// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The same random numbers for the same seed. Any thread.

/// The splitmix64 generator.
///
/// Source: G. Steele, D. Lea and C. Flood, 2014.
package struct SeededRandom: RandomNumberGenerator {
    private var position: UInt64

    /// Starts at a seed.
    package init(seed: UInt64) { position = seed }

    /// The next random number.
    package mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9_7F4A_7C15
        var mixed = position
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
