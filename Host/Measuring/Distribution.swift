// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Percentiles and a small histogram of measured times. Any thread.

import Glibc

/// Measured nanoseconds, sorted.
struct Distribution {
    let sorted: [UInt32]

    init(_ nanoseconds: some Sequence<UInt32>) { sorted = nanoseconds.sorted() }

    /// The smallest value that at least `share` of all values do not exceed (nearest rank); 0 without values.
    func percentile(_ share: Double) -> UInt32 {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var median: Double { Double(percentile(0.5)) }
    var microseconds: Percentiles { Percentiles(self) }

    /// The number of values in each of `count` bins of equal width on a logarithmic axis.
    ///
    /// Values outside count in the outermost bins.
    func histogram(from low: Double, to high: Double, binCount count: Int) -> [Int] {
        var bins = [Int](repeating: 0, count: count)
        let width = log(max(high, low * 1.01) / low) / Double(count)
        for value in sorted {
            let bin = Int((log(max(Double(value), low) / low) / width).rounded(.down))
            bins[min(max(bin, 0), count - 1)] += 1
        }
        return bins
    }
}

/// The reported percentiles, in microseconds.
struct Percentiles: Encodable, Equatable {
    let minUs, p50us, p99us, p999us, maxus: Double

    init(_ distribution: Distribution) {
        minUs = Double(distribution.sorted.first ?? 0) / 1000
        p50us = Double(distribution.percentile(0.5)) / 1000
        p99us = Double(distribution.percentile(0.99)) / 1000
        p999us = Double(distribution.percentile(0.999)) / 1000
        maxus = Double(distribution.sorted.last ?? 0) / 1000
    }
}

/// Bars of eight heights.
enum Sparkline {
    /// One character a bin.
    ///
    /// Its height is the square root of its share, so that a thin tail stays visible.
    static func text(_ bins: [Int]) -> String {
        let highest = Double(bins.max() ?? 0)
        let bars = Array("▁▂▃▄▅▆▇█")
        return String(
            bins.map { count -> Character in
                guard count > 0 else { return " " }
                return bars[min(7, Int((Double(count) / highest).squareRoot() * 7.999))]
            })
    }
}
