// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Two channels in a loop: sound past the end continues at the start. Control thread.

import Glibc

/// Stereo audio of one loop; every tail wraps round.
struct StereoLoop {
    /// The sample rate in frames a second.
    let sampleRate: Double
    private(set) var left: [Double]
    private(set) var right: [Double]

    var frameCount: Int { left.count }

    init(frameCount: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        left = Array(repeating: 0, count: frameCount)
        right = left
    }

    /// Adds a mono sound that starts at `time` seconds, which may be negative.
    ///
    /// `pan` goes from -1, left, to 1, with equal power.
    mutating func add(_ sound: [Double], at time: Double, gain: Double, pan: Double = 0) {
        let angle = (pan + 1) * .pi / 4
        let (leftGain, rightGain) = (gain * cos(angle) * 2.0.squareRoot(), gain * sin(angle) * 2.0.squareRoot())
        let start = Int((time * sampleRate).rounded()) % frameCount
        var frame = start < 0 ? start + frameCount : start
        for sample in sound {
            left[frame] += sample * leftGain
            right[frame] += sample * rightGain
            frame += 1
            if frame == frameCount { frame = 0 }
        }
    }

    /// Adds another loop of the same length.
    mutating func add(_ other: StereoLoop, gain: Double) {
        for frame in left.indices {
            left[frame] += other.left[frame] * gain
            right[frame] += other.right[frame] * gain
        }
    }

    /// Replaces each frame by the result of `change`, which gets its number.
    mutating func map(_ change: (Int, Double, Double) -> (Double, Double)) {
        for frame in left.indices { (left[frame], right[frame]) = change(frame, left[frame], right[frame]) }
    }

    /// Runs an effect with memory twice round the loop, and keeps the second, settled round.
    mutating func mapSettled(_ change: (Double, Double) -> (Double, Double)) {
        for frame in left.indices { _ = change(left[frame], right[frame]) }
        map { _, left, right in change(left, right) }
    }

    /// The largest magnitude of both channels.
    var peak: Double { max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }) }
}
