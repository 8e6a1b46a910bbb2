// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The frames for a rate converter across the seam of two sounds with different rates. Control thread.

import Glibc

/// Two stretches of one sound that meet, sampled at different rates.
///
/// A converter needs frames beyond the end of its input, or it would hear a cut there. Beyond the end of the first stretch, the
/// sound has another rate. Interpolation near the seam takes frames before it, which exist only at the first rate.
///
/// So both sides are computed from each other in turn, starting with silence, until nothing changes any more. Up to nine tenths
/// of the lower rate's bandwidth, the error is below −95 dB after `turnCount` turns. Source: alternating projections, as in A.
/// Papoulis, "A New Algorithm in Spectral Analysis and Band-Limited Extrapolation" (1975).
public struct RateSeam {
    private static let turnCount = 24
    /// Half the length of the interpolating filter, in frames of the lower rate, and the shape of its Kaiser window.
    private static let halfWidth = 32.0
    private static let beta = 10.0

    private let rateBefore: Double
    private let rateAfter: Double
    private let centre = bessel(beta)

    /// Makes the seam of a sound whose sample rate changes.
    public init(rateBefore: Double, rateAfter: Double) { (self.rateBefore, self.rateAfter) = (rateBefore, rateAfter) }

    /// The number of frames that are read from the other side for `count` frames at `rate`.
    public static func reach(_ count: Int, at rate: Double, of other: Double) -> Int {
        Int((Double(count) * other / rate + halfWidth * max(1, other / rate)).rounded(.up)) + 8
    }

    /// Computes, for each channel, the first frames after the seam at the first rate, and the last frames before it at the
    /// second rate.
    ///
    /// `before` ends at the seam, and `after` begins there.
    public func meet(
        _ before: [[Float]], _ after: [[Float]], futureCount: Int, pastCount: Int
    ) -> (future: [[Float]], past: [[Float]]) {
        let width = Self.halfWidth
        let nearFuture = Int((width * max(1, rateBefore / rateAfter)).rounded(.up)) + 8
        let nearPast = Int((width * max(1, rateAfter / rateBefore)).rounded(.up)) + 8
        let toFuture = filter(from: rateAfter, to: rateBefore, 0..<max(nearFuture, futureCount))
        let toPast = filter(from: rateBefore, to: rateAfter, -max(nearPast, pastCount)..<0)
        var result: (future: [[Float]], past: [[Float]]) = ([], [])
        for (before, after) in zip(before, after) {
            var future = [Float](repeating: 0, count: nearFuture)
            var past = [Float](repeating: 0, count: nearPast)
            for _ in 0..<Self.turnCount {
                future = Self.apply(toFuture.prefix(nearFuture), past: past, future: after)
                past = Self.apply(toPast.suffix(nearPast), past: before, future: future)
            }
            result.future.append(Self.apply(toFuture.prefix(futureCount), past: past, future: after))
            result.past.append(Self.apply(toPast.suffix(pastCount), past: before, future: future))
        }
        return result
    }

    /// The weights of one interpolated frame, and the number of the frame for the first weight; 0 is the first after the seam.
    private struct Taps {
        let first: Int
        let weights: [Float]
    }

    private func filter(from: Double, to: Double, _ frames: Range<Int>) -> [Taps] {
        let cutoff = min(1, to / from)
        return frames.map { frame in
            let place = Double(frame) / to * from
            let first = Int((place - Self.halfWidth / cutoff).rounded(.up))
            let last = Int((place + Self.halfWidth / cutoff).rounded(.down))
            return Taps(first: first, weights: (first...last).map { Float(cutoff * kernel((place - Double($0)) * cutoff)) })
        }
    }

    private static func apply(_ filter: some Sequence<Taps>, past: [Float], future: [Float]) -> [Float] {
        filter.map { taps in
            var sum: Float = 0
            for (index, weight) in taps.weights.enumerated() {
                let frame = taps.first + index
                if frame >= 0 {
                    if frame < future.count { sum += weight * future[frame] }
                } else if past.count + frame >= 0 {
                    sum += weight * past[past.count + frame]
                }
            }
            return sum
        }
    }

    /// A sinc in a Kaiser window.
    private func kernel(_ x: Double) -> Double {
        let share = x / Self.halfWidth
        guard abs(share) < 1 else { return 0 }
        let sinc = x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x)
        return sinc * Self.bessel(Self.beta * (1 - share * share).squareRoot()) / centre
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
