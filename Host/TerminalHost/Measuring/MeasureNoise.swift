// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Whether the machine was quiet enough to measure on. Any thread.

/// Whether the machine was quiet enough for the figures to mean something.
struct MeasureNoise: Encodable {
    static let highestTailRatio = 3.0
    static let highestSpread = 0.25
    static let highestMissedShare = 0.001

    /// The floor's 99th percentile over its median.
    let floorP99OverP50: Double
    /// How far the floor's batch medians lie apart, from the 10th to the 90th percentile, as a share of their median.
    let batchMedianSpread: Double
    /// The share of out-of-process cycles that ended at their deadline.
    let missedShare: Double
    let isTrustworthy: Bool

    init(floor: Distribution, batchMedians: Distribution, missedShare: Double = 0) {
        self.missedShare = missedShare
        floorP99OverP50 = floor.median > 0 ? Double(floor.percentile(0.99)) / floor.median : 0
        let width = Double(batchMedians.percentile(0.9)) - Double(batchMedians.percentile(0.1))
        batchMedianSpread = batchMedians.median > 0 ? width / batchMedians.median : 0
        isTrustworthy =
            floorP99OverP50 <= Self.highestTailRatio && batchMedianSpread <= Self.highestSpread
            && missedShare <= Self.highestMissedShare
    }
}
