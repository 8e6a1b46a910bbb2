// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Random numbers from a seed and a name. One thread at a time.

/// The splitmix64 generator.
struct SeededRandom: RandomNumberGenerator {
    private var position: UInt64

    init(seed: UInt64) { position = seed }

    /// Starts a separate sequence for each name.
    ///
    /// The name is mixed in by FNV-1a.
    init(seed: UInt64, for name: String) {
        let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.init(seed: seed ^ hash)
    }

    mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9_7F4A_7C15
        var mixed = position
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
