// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Designs the oversampler's linear-phase low-pass filters by Kaiser's window. Control thread.

import PluginSDK

/// The taps of a linear-phase low-pass with unit gain at 0 Hz; frequencies are in cycles a sample.
///
/// Source: J. F. Kaiser, *Nonrecursive digital filter design using the I0-sinh window function*, ISCAS 1974.
struct LowPassDesign {
    /// The attenuation of the stop band, in decibels.
    static let attenuation = 84.0

    let taps: [Double]

    /// Designs a filter with a transition band of `transition`, and `cutoff` in its middle.
    init(cutoff: Double, transition: Double) {
        let order = (Self.attenuation - 7.95) / (14.36 * transition)
        self.init(cutoff: cutoff, halfLength: Int((order / 2).rounded(.up)))
    }

    /// Designs a half-band filter: the cutoff is a quarter of the rate, and every second tap but the middle one is zero.
    init(halfBandTransition transition: Double) {
        let order = (Self.attenuation - 7.95) / (14.36 * transition)
        self.init(cutoff: 0.25, halfLength: Int((order / 4 - 0.5).rounded(.up)) * 2 + 1)
    }

    private init(cutoff: Double, halfLength: Int) {
        let beta = 0.1102 * (Self.attenuation - 8.7)
        let window = (-halfLength...halfLength).map { index -> Double in
            let position = Double(index) / Double(halfLength)
            return Self.bessel(beta * (1 - position * position).squareRoot())
        }
        let ideal = (-halfLength...halfLength).map { Self.sinc(2 * cutoff * Double($0)) }
        let shaped = zip(window, ideal).map { abs($1) < 1e-12 ? 0 : $0 * $1 }
        let sum = shaped.reduce(0, +)
        taps = shaped.map { $0 / sum }
    }

    private static func sinc(_ x: Double) -> Double { x == 0 ? 1 : Maths.sin(.pi * x) / (.pi * x) }

    /// The modified Bessel function of the first kind and order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        for k in 1..<60 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }
}
