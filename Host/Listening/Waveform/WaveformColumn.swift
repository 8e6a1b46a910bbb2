// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The levels of one column of a waveform's picture. Any thread.

/// The least and the greatest of a column's samples, and their power.
package struct WaveformColumn: Equatable, Sendable {
    /// The least and the greatest sample.
    package private(set) var least: Float = 0, greatest: Float = 0
    private var squares = 0.0
    private(set) var sampleCount = 0

    /// A column without samples.
    package init() {}

    /// The root of the mean square.
    package var level: Float { sampleCount > 0 ? Float((squares / Double(sampleCount)).squareRoot()) : 0 }

    /// Takes samples, all of them finite.
    mutating func take(_ samples: some Collection<Float>) {
        if sampleCount == 0, let first = samples.first { (least, greatest) = (first, first) }
        for sample in samples {
            if sample < least { least = sample }
            if sample > greatest { greatest = sample }
            squares += Double(sample) * Double(sample)
        }
        sampleCount += samples.count
    }

    /// Takes the samples of another column.
    mutating func join(_ other: WaveformColumn) {
        guard other.sampleCount > 0 else { return }
        least = sampleCount > 0 ? min(least, other.least) : other.least
        greatest = sampleCount > 0 ? max(greatest, other.greatest) : other.greatest
        squares += other.squares
        sampleCount += other.sampleCount
    }
}
