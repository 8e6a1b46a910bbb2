// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads an asset between its frames. Made on the control thread, used on the render thread.

import DSP

/// Band-limited interpolation of an asset at any place, for steps of up to four frames.
///
/// A step above 1 stretches the filter, so that no frequency is folded back.
struct AssetReader: ~Copyable {
    private static var halfWidth: Int { @_noLocks get { 16 } }
    /// The most weights of a place.
    static var mostWeights: Int { @_noLocks get { 2 &* halfWidth &* 4 &+ 2 } }

    private let kernel = SincKernel(halfWidth: AssetReader.halfWidth, cutoff: 0.9, beta: 7)

    /// `[control]` Makes the filter.
    init() {}

    /// `[render]` Writes the weights of the frames around a place.
    @_noLocks
    func weigh(_ place: Double, stretch: Double, _ weights: UnsafeMutablePointer<Float>) {
        let (first, count) = kernel.window(at: place, stretch: max(1, stretch))
        kernel.weigh(count, from: Double(first) - place, stretch: max(1, stretch), to: weights)
    }

    /// `[render]` The sound of a channel at a place, by weights for it; silence before and behind an asset that does not loop.
    @_noLocks
    func sample(
        _ channel: UnsafePointer<Float>, _ frameCount: Int, _ isLooping: Bool, _ place: Double, stretch: Double,
        _ weights: UnsafePointer<Float>
    ) -> Float {
        let window = kernel.window(at: place, stretch: max(1, stretch))
        let (first, count) = (Int(window.first), window.count)
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
}
