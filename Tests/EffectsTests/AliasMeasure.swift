// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures how far the loudest line that is no harmonic of the sine lies below the strongest harmonic. Test thread.

import Foundation

/// A sine that fits the window an odd number of times: harmonics and aliases then fall on different, exact bins.
struct AliasMeasure {
    static let windowLength = 16_384
    let cycleCount: Int
    let sampleRate: Double

    init(near frequency: Double, sampleRate: Double) {
        cycleCount = Int(frequency * Double(Self.windowLength) / sampleRate) | 1
        self.sampleRate = sampleRate
    }

    /// Two windows' worth of the sine: one to settle, one to measure.
    var sine: [Float] {
        (0..<2 * Self.windowLength).map { frame in
            Float(sin(2 * Double.pi * Double(cycleCount * frame % Self.windowLength) / Double(Self.windowLength)))
        }
    }

    /// Decibels from the strongest harmonic down to the strongest line beside the harmonics, as a negative number.
    func worstLine(of output: [Float]) -> Double {
        let powers = FourierTransform(output.suffix(Self.windowLength)).powers
        let isHarmonic = (0..<powers.count).map { $0 % cycleCount == 0 }
        let harmonic = zip(powers, isHarmonic).filter(\.1).map(\.0).max() ?? 0
        let other = zip(powers, isHarmonic).filter { !$0.1 }.map(\.0).max() ?? 0
        return 10 * log10(other / harmonic)
    }
}
