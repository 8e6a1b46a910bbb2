// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds the weights that read a signal between its frames. Made on the control thread, used on the render thread.

import DSP
import Realtime

/// The weights of 32 frames around a place, for 512 places between two frames.
///
/// A sinc in a Kaiser window: up to 18 kHz at 48 kHz the gain deviates by less than 0.1 dB, and images are below −80 dB.
final class DelayTaps: Sendable {
    private static let width = 32
    private static let rowCount = 512
    private static let kaiserBeta = 8.0

    /// The table, which is the same for all lines.
    static let shared = DelayTaps()

    // SAFETY: the memory does not change after init.
    private nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>

    private init() {
        rows = .allocate(capacity: (Self.rowCount + 1) * Self.width)
        for row in 0...Self.rowCount {
            let share = Double(row) / Double(Self.rowCount)
            let weights = (0..<Self.width).map { Self.weight(Double($0 - DelayPoint.halfWidth + 1) - share) }
            // All rows pass a constant unchanged.
            let sum = weights.reduce(0, +)
            for (tap, weight) in weights.enumerated() { (rows + row * Self.width + tap).initialize(to: Float(weight / sum)) }
        }
    }

    /// The weights, for the render thread.
    var memory: UnsafePointer<Float> { UnsafePointer(rows) }

    private static func weight(_ distance: Double) -> Double {
        let share = distance / Double(DelayPoint.halfWidth)
        guard abs(share) < 1 else { return 0 }
        let angle = Double.pi * 0.94 * distance
        let sinc = angle == 0 ? 1 : Maths.sin(angle) / angle
        return sinc * bessel(kaiserBeta * Maths.sqrt(1 - share * share))
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

/// A place between two frames, read by the weights of `DelayTaps`.
enum DelayPoint {
    /// The frames after a place that are read: a delay is at least as long.
    static var halfWidth: Int { @_noLocks get { 16 } }

    /// `[render]` The signal at `share` of the way from frame `halfWidth` − 1 of `frames` to the next one.
    ///
    /// The first `silentCount` frames count as silent.
    @inline(__always) @_noLocks
    static func read(
        _ frames: UnsafePointer<Float>, _ share: Float, _ rows: UnsafePointer<Float>, silentCount: Int
    ) -> Float {
        let place = share * 512
        // Cannot trap: the share is from 0 to below 1.
        let row = min(511, max(0, Int(place)))
        let part = SIMD16<Float>(repeating: place - Float(row))
        let (near, far) = (rows + row &* 32, rows + (row &+ 1) &* 32)
        var sum = SIMD16<Float>(repeating: 0)
        for half in 0..<2 {
            let first = SIMD16<Float>.load(near + half &* 16, count: 16)
            let second = SIMD16<Float>.load(far + half &* 16, count: 16)
            var samples = SIMD16<Float>.load(frames + half &* 16, count: 16)
            for lane in 0..<max(0, min(16, silentCount &- half &* 16)) { samples[lane] = 0 }
            sum += samples * (first + (second - first) * part)
        }
        return sum.sum()
    }
}
