// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random numbers that can be had again: the seed is printed, and read back from BULKHEAD_SEED. Any thread.

import Glibc

/// The splitmix64 generator.
public struct Seed: RandomNumberGenerator {
    private var position: UInt64

    public init(_ test: String = #function) {
        let given = getenv("BULKHEAD_SEED").flatMap { UInt64(String(cString: $0)) }
        position = given ?? UInt64.random(in: 0 ... .max)
        print("\(test): BULKHEAD_SEED=\(position)")
    }

    public mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9_7F4A_7C15
        var mixed = position
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
