// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Taps that read a sampled signal between its samples. Made on the control thread, used on the render thread.

import PluginSDK

/// A sinc in a Kaiser window, at 512 fractions of a frame.
///
/// At fraction 0 one tap is 1 and the others are 0, so whole delays are exact. Source: T. I. Laakso et al., "Splitting the
/// Unit Delay" (IEEE Signal Processing Magazine, 1996), section on windowed interpolators.
struct SincTable: ~Copyable {
    /// The number of taps on each side of the read position.
    let halfWidth: Int
    /// Twice the half width, rounded up to whole vectors of eight; the extra taps come first and are zero.
    let tapCount: Int
    private let rows: UnsafeMutablePointer<Float>
    private static var rowCount: Int { @_noLocks get { 512 } }
    private static let kaiserBeta = 7.5

    init(halfWidth: Int) {
        self.halfWidth = halfWidth
        tapCount = (2 * halfWidth + 7) / 8 * 8
        rows = .allocate(capacity: (Self.rowCount + 1) * tapCount)
        for row in 0...Self.rowCount {
            let fraction = Double(row) / Double(Self.rowCount)
            Self.fill(rows + row * tapCount, tapCount, halfWidth, fraction)
        }
    }

    deinit { rows.deallocate() }

    /// Writes the taps for a fraction of a frame, from 0 to 1.
    @_noLocks func copyTaps(at fraction: Double, to taps: UnsafeMutablePointer<Float>) {
        let place = fraction * Double(Self.rowCount)
        let row = min(Int(place), Self.rowCount - 1)
        let share = Float(place - Double(row))
        let (from, to) = (rows + row * tapCount, rows + (row + 1) * tapCount)
        for tap in 0..<tapCount { taps[tap] = from[tap] + (to[tap] - from[tap]) * share }
    }

    private static func fill(_ taps: UnsafeMutablePointer<Float>, _ tapCount: Int, _ halfWidth: Int, _ fraction: Double) {
        let surplus = tapCount - 2 * halfWidth
        func weight(_ tap: Int) -> Double {
            let distance = Double(tap - surplus - halfWidth + 1) - fraction
            return tap < surplus ? 0 : sinc(distance) * kaiser(distance / Double(halfWidth))
        }
        var sum = 0.0
        for tap in 0..<tapCount { sum += weight(tap) }
        for tap in 0..<tapCount { (taps + tap).initialize(to: Float(weight(tap) / sum)) }
    }

    private static func sinc(_ x: Double) -> Double {
        if x == x.rounded() { return x == 0 ? 1 : 0 }
        return Maths.sin(Double.pi * x) / (Double.pi * x)
    }

    /// The Kaiser window, 1 at 0 and lowest at ±1.
    private static func kaiser(_ x: Double) -> Double {
        bessel(kaiserBeta * max(0, 1 - x * x).squareRoot()) / bessel(kaiserBeta)
    }

    /// The modified Bessel function of order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for index in 1...40 {
            term *= x * x / 4 / Double(index * index)
            sum += term
        }
        return sum
    }
}
