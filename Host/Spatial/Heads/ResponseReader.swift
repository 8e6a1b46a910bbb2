// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads a measured response between its samples, at another rate. Control thread.

import Glibc

/// Interpolates impulse responses with a windowed sinc, so that they have the same level at each rate.
struct ResponseReader {
    private static let halfWidth = 32
    private static let beta = 10.0
    private static let stepCount = 4096

    /// Samples of the measurement for each sample that is read.
    private let ratio: Double
    /// The part of the measurement's bandwidth that is kept.
    private let cutoff: Double
    private let table: [Double]

    init(from measured: Double, to sampleRate: Double) {
        ratio = measured / sampleRate
        cutoff = min(1, sampleRate / measured)
        table = (0...Self.halfWidth * Self.stepCount + 1).map {
            Self.kernel(Double($0) / Double(Self.stepCount))
        }
    }

    /// The sample of a filter at `time` frames of the new rate, after a delay in samples of the measurement.
    ///
    /// The factor `ratio` keeps the level, because a filter of a higher rate has more samples.
    func sample(_ response: ArraySlice<Float>, at time: Double, delay: Double) -> Double {
        let place = time * ratio - delay
        if cutoff == 1, place == place.rounded() {
            let index = response.startIndex + Int(place)
            return response.indices.contains(index) ? ratio * Double(response[index]) : 0
        }
        let reach = Double(Self.halfWidth) / cutoff
        // Cannot trap: times and delays are checked to be a few seconds at most, in the next line too.
        let first = max(0, Int((place - reach).rounded(.up)))
        let last = min(response.count - 1, Int((place + reach).rounded(.down)))
        guard first <= last else { return 0 }
        var sum = 0.0
        for index in first...last {
            sum +=
                Double(response[response.startIndex + index]) * weight((place - Double(index)) * cutoff)
        }
        return sum * cutoff * ratio
    }

    private func weight(_ distance: Double) -> Double {
        let place = abs(distance) * Double(Self.stepCount)
        let index = Int(place)
        guard index + 1 < table.count else { return 0 }
        return table[index] + (place - Double(index)) * (table[index + 1] - table[index])
    }

    private static func kernel(_ x: Double) -> Double {
        sinc(x) * kaiser(x / Double(halfWidth), beta: beta)
    }

    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(.pi * x) / (.pi * x) }

    /// Kaiser's window from −1 to 1.
    private static func kaiser(_ x: Double, beta: Double) -> Double {
        abs(x) < 1 ? bessel(beta * (1 - x * x).squareRoot()) / bessel(beta) : 0
    }

    /// The modified Bessel function of order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, order) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / (2 * order)) * (x / (2 * order))
            sum += term
            order += 1
        }
        return sum
    }
}
