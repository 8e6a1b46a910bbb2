// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads an asset between its frames. Made on the control thread, used on the render thread.

import Realtime

/// Band-limited interpolation of an asset at any place, for steps of up to four frames.
///
/// A step above 1 stretches the filter, so that no frequency is folded back. Source: J. O. Smith and P. Gossett, "A Flexible Sampling-Rate
/// Conversion Method" (ICASSP 1984).
struct AssetReader {
    /// The frames on each side of a place that are read at a step up to 1.
    private static var halfWidth: Int { @_noLocks get { 16 } }
    private static var rowCount: Int { @_noLocks get { 256 } }
    private static var cutoff: Double { 0.9 }
    private static var kaiserBeta: Double { 7 }
    /// The most weights of a place.
    static var mostWeights: Int { 2 * 16 * 4 + 2 }

    /// The filter's one side, at 256 places a frame.
    private let kernel: UnsafeMutablePointer<Float>

    /// `[control]` Makes the filter.
    init() {
        let count = Self.halfWidth * Self.rowCount
        kernel = .allocate(capacity: count + 2)
        for row in 0..<count { (kernel + row).initialize(to: Float(Self.weight(Double(row) / Double(Self.rowCount)))) }
        (kernel + count).initialize(repeating: 0, count: 2)
    }

    func deallocate() { kernel.deallocate() }

    /// The first frame that the filter reads at a place, and the number of frames.
    @_noLocks
    private func window(_ place: Double, _ stretch: Double) -> (first: Int, count: Int) {
        let reach = Double(Self.halfWidth) * max(1, stretch)
        // Cannot trap: a place is within an asset.
        let first = Int(Maths.floor(place - reach)) &+ 1
        return (first, Int(Maths.floor(place + reach)) &- first &+ 1)
    }

    /// `[render]` Writes the weights of the frames around a place.
    @_noLocks
    func weigh(_ place: Double, stretch: Double, _ weights: UnsafeMutablePointer<Float>) {
        let (first, count) = window(place, stretch)
        let scale = 1 / max(1, stretch)
        let (rows, factor) = (Double(Self.rowCount) * scale, Float(scale))
        let most = Double(Self.halfWidth * Self.rowCount)
        for tap in 0..<count {
            let row = min(abs(Double(first &+ tap) - place) * rows, most)
            // Cannot trap: a row is within the filter.
            let whole = Int(row)
            weights[tap] = (kernel[whole] + (kernel[whole &+ 1] - kernel[whole]) * Float(row - Double(whole))) * factor
        }
    }

    /// `[render]` The sound of a channel at a place, by weights for it; silence before and behind an asset that does not loop.
    @_noLocks
    func sample(
        _ channel: UnsafePointer<Float>, _ frameCount: Int, _ isLooping: Bool, _ place: Double, stretch: Double,
        _ weights: UnsafePointer<Float>
    ) -> Float {
        let (first, count) = window(place, stretch)
        var sum: Float = 0
        if first >= 0, first &+ count <= frameCount {
            for tap in 0..<count { sum += channel[first &+ tap] * weights[tap] }
            return sum
        }
        for tap in 0..<count {
            var frame = first &+ tap
            if isLooping {
                frame %= frameCount
                if frame < 0 { frame &+= frameCount }
            }
            if frame >= 0, frame < frameCount { sum += channel[frame] * weights[tap] }
        }
        return sum
    }

    /// The filter at a distance in frames: a sinc in a Kaiser window.
    private static func weight(_ distance: Double) -> Double {
        let angle = Double.pi * cutoff * distance
        let sinc = distance == 0 ? 1 : Maths.sin(angle) / angle
        let share = distance / Double(halfWidth)
        return cutoff * sinc * bessel(kaiserBeta * Maths.sqrt(max(0, 1 - share * share))) / bessel(kaiserBeta)
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
