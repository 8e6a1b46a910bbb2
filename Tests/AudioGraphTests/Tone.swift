// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Measures the tone in a sound. Test thread.

/// A tone at 48,000 frames a second.
enum Tone {
    /// The frequency of a sine in hertz, by its upward crossings of zero; 0 without two of them.
    static func frequency(_ samples: ArraySlice<Float>) -> Double {
        var crossings: [Double] = []
        for index in samples.indices.dropLast() where samples[index] <= 0 && samples[index + 1] > 0 {
            crossings.append(Double(index) + Double(-samples[index] / (samples[index + 1] - samples[index])))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return 48_000 * Double(crossings.count - 1) / (last - first)
    }
}
