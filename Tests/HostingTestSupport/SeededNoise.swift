// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// White noise that is the same on every run. Test thread.

/// Uniform noise within ±`amplitude`, from a linear congruential generator.
package struct SeededNoise {
    private let seed: UInt64
    private let amplitude: Float

    /// Makes the noise of a seed.
    package init(seed: UInt64, amplitude: Float = 0.5) { (self.seed, self.amplitude) = (seed, amplitude) }

    /// The first samples.
    package func samples(_ count: Int) -> [Float] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
        }
    }
}
