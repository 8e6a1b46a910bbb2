// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Judges whether the machine was quiet enough to measure. Any thread.

import Console

/// The trust in figures, judged by the floor that was measured in turn with them.
struct MeasureNoise: Encodable {
    static let highestTailRatio = 3.0
    static let highestSpread = 0.25
    static let highestMissedShare = 0.001
    static let highestStolenShare = 0.01

    /// The floor's 99th percentile over its median.
    let floorP99OverP50: Double
    /// The spread of the floor's batch medians, from the 10th to the 90th percentile, as a share of their median.
    let batchMedianSpread: Double
    /// The share of out-of-process cycles that missed their deadline, or lacked one of the effects.
    let missedShare: Double
    /// The share of the processors' time that a hypervisor gave to other machines; 0 if unknown.
    let stolenShare: Double
    let isTrustworthy: Bool

    init(floor: Distribution, batchMedians: Distribution, missedShare: Double = 0, stolenShare: Double = 0) {
        let width = Double(batchMedians.percentile(0.9)) - Double(batchMedians.percentile(0.1))
        self.init(
            floorP99OverP50: floor.median > 0 ? Double(floor.percentile(0.99)) / floor.median : 0,
            batchMedianSpread: batchMedians.median > 0 ? width / batchMedians.median : 0, missedShare: missedShare,
            stolenShare: stolenShare)
    }

    /// Judges one row: its own cycles, and the floor that was measured in turn with them.
    init(_ row: MeasuredRow, stolenShare: Double) {
        self.init(
            floor: row.floor.times, batchMedians: row.floor.batchMedians, missedShare: row.missedShare, stolenShare: stolenShare)
    }

    /// Takes the worst value of each kind.
    init(worstOf all: [MeasureNoise]) {
        func worst(_ measure: KeyPath<MeasureNoise, Double>) -> Double { all.map { $0[keyPath: measure] }.max() ?? 0 }
        self.init(
            floorP99OverP50: worst(\.floorP99OverP50), batchMedianSpread: worst(\.batchMedianSpread),
            missedShare: worst(\.missedShare), stolenShare: worst(\.stolenShare))
    }

    private init(floorP99OverP50: Double, batchMedianSpread: Double, missedShare: Double, stolenShare: Double) {
        self.floorP99OverP50 = floorP99OverP50
        self.batchMedianSpread = batchMedianSpread
        self.missedShare = missedShare
        self.stolenShare = stolenShare
        isTrustworthy =
            floorP99OverP50 <= Self.highestTailRatio && batchMedianSpread <= Self.highestSpread
            && missedShare <= Self.highestMissedShare && stolenShare <= Self.highestStolenShare
    }

    /// A sentence about the whole run, for the worst of its rows.
    func verdict(ofRows count: Int, noisy: Int) -> String {
        let facts = [
            (
                floorP99OverP50 > Self.highestTailRatio,
                "the floor's 99th percentile was \(floorP99OverP50.digits(1)) times its median"
            ),
            (batchMedianSpread > Self.highestSpread, "its batches' medians lay \((batchMedianSpread * 100).digits(0)) % apart"),
            (missedShare > Self.highestMissedShare, "\((missedShare * 100).digits(2)) % of a row's cycles missed their deadline"),
            (
                stolenShare > Self.highestStolenShare,
                "\((stolenShare * 100).digits(1)) % of the processors' time was given to other machines"
            ),
        ]
        guard noisy > 0 else {
            return "This machine was quiet enough for the figures to be trusted: at worst \(Self.list(facts.map(\.1)))."
        }
        let rows = noisy == count ? "the figures" : "\(noisy) of the \(count) rows"
        let reasons = facts.filter(\.0).map(\.1)
        // The first fact names the floor.
        let named = reasons.map {
            $0.hasPrefix("its") && !facts[0].0 ? $0.replacing("its", with: "the floor's", maxReplacements: 1) : $0
        }
        return "This machine was too noisy for \(rows) to be trusted: at worst \(Self.list(named))."
    }

    private static func list(_ parts: [String]) -> String {
        parts.count < 3
            ? parts.joined(separator: " and ") : "\(parts.dropLast().joined(separator: ", ")), and \(parts[parts.count - 1])"
    }
}
