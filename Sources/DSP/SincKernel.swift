// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The filter that reads a sound between its frames. Made on the control thread, used on the render thread.

import Realtime

/// A sinc in a Kaiser window, at 256 places a frame.
///
/// Source: J. O. Smith and P. Gossett, "A Flexible Sampling-Rate Conversion Method" (ICASSP 1984).
public struct SincKernel: ~Copyable {
    private static var rowCount: Int { @_noLocks get { 256 } }

    /// The frames on each side of a place that are read at a step up to 1; a larger step reads as many times more.
    public let halfWidth: Int
    /// The filter's one side.
    private let rows: UnsafeMutablePointer<Float>

    /// `[control]` Makes a filter; `cutoff` is the share of the bandwidth that passes, and `beta` shapes the window.
    public init(halfWidth: Int, cutoff: Double, beta: Double) {
        self.halfWidth = halfWidth
        let count = halfWidth * Self.rowCount
        rows = .allocate(capacity: count + 2)
        for row in 0..<count {
            let distance = Double(row) / Double(Self.rowCount)
            (rows + row).initialize(to: Float(Self.weight(distance, Double(halfWidth), cutoff, beta)))
        }
        (rows + count).initialize(repeating: 0, count: 2)
    }

    deinit { rows.deallocate() }

    /// `[render]` The first frame that is read at a place, and the number of frames; a step above 1 stretches the filter.
    @_noLocks
    public func window(at place: Double, stretch: Double) -> (first: Int64, count: Int) {
        let reach = Double(halfWidth) * stretch
        let first = Int64(Maths.floor(place - reach)) &+ 1
        return (first, Int(Int64(Maths.floor(place + reach)) &- first) &+ 1)
    }

    /// `[render]` Writes the weights of so many frames from `distance` on, measured from the place.
    @_noLocks
    public func weigh(_ count: Int, from distance: Double, stretch: Double, to weights: UnsafeMutablePointer<Float>) {
        let scale = 1 / stretch
        let (rowsPerFrame, factor) = (Double(Self.rowCount) * scale, Float(scale))
        let most = Double(halfWidth * Self.rowCount)
        for tap in 0..<count {
            let row = min(abs(distance + Double(tap)) * rowsPerFrame, most)
            let whole = Int(row)
            let share = Float(row - Double(whole))
            weights[tap] = (rows[whole] + (rows[whole &+ 1] - rows[whole]) * share) * factor
        }
    }

    private static func weight(_ distance: Double, _ halfWidth: Double, _ cutoff: Double, _ beta: Double) -> Double {
        let angle = Double.pi * cutoff * distance
        let sinc = distance == 0 ? 1 : Maths.sin(angle) / angle
        let share = distance / halfWidth
        return cutoff * sinc * bessel(beta * Maths.sqrt(max(0, 1 - share * share))) / bessel(beta)
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
