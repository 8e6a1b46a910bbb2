// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether two sounds differ by more than each varies by itself. Any thread.

/// Several measurements of a sound that nobody changes.
struct Measurement {
    let stretches: [BandLevels]

    /// The mean of each level.
    var means: [Double] { columns.map { $0.reduce(0, +) / Double($0.count) } }
    /// By how much each level varies by itself.
    var spreads: [Double] { columns.map { ($0.max() ?? 0) - ($0.min() ?? 0) } }

    private var columns: [[Double]] { BandLevels.names.indices.map { index in stretches.map { $0.decibels[index] } } }

    static func + (left: Measurement, right: Measurement) -> Measurement {
        Measurement(stretches: left.stretches + right.stretches)
    }
}

/// The level in which two sounds differ most, beyond what varies by itself.
struct Difference {
    let decibels: Double
    /// What this level varies by itself.
    let spread: Double
    let name: String

    /// The least that counts as heard.
    static let audible = 1.0
    var isHeard: Bool { abs(decibels) >= Self.audible && abs(decibels) >= 2 * spread }

    /// Compares two measurements; `control` tells what varies by itself.
    init(from before: Measurement, to after: Measurement, control: Measurement) {
        let (old, new, spreads) = (before.means, after.means, control.spreads)
        func excess(_ index: Int) -> Double { abs(new[index] - old[index]) - 2 * spreads[index] }
        let best = old.indices.max { excess($0) < excess($1) } ?? 0
        (decibels, spread, name) = (new[best] - old[best], spreads[best], BandLevels.names[best])
    }
}
