// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Repeatable white noise for drums and other voices. Any thread.

/// Uniform noise from a seed.
///
/// Source: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
@frozen
public struct NoiseSource: RandomNumberGenerator, BitwiseCopyable, Sendable {
    @usableFromInline var state: UInt64

    /// `[any]` Starts the noise of a seed.
    @inlinable @_noLocks
    public init(seed: UInt64) { state = seed }

    /// `[any]` The next 64 bits.
    @inlinable @_noLocks
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// `[any]` The next sample, from -1 to 1.
    @inlinable @_noLocks
    public mutating func sample() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }
}
