// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bar of drums and a chord, made in code, so that there is something to hear. Main thread.

import Foundation

/// One bar at 120 beats a minute, in two equal channels.
final class Loop: Sendable {
    // SAFETY: written in init alone.
    nonisolated(unsafe) private let samples: UnsafeMutableBufferPointer<Float>

    /// Makes the bar at a sample rate.
    init(sampleRate: Double) {
        samples = .allocate(capacity: Int(2 * sampleRate))
        samples.initialize(repeating: 0)
        for beat in 0..<4 {
            add(at: Double(beat) / 2, seconds: 0.3, sampleRate, Self.kick)
            add(at: Double(beat) / 2 + 0.25, seconds: 0.05, sampleRate, Self.hiHat)
        }
        for note in [220.0, 277.2, 329.6] { add(at: 0, seconds: 2, sampleRate) { Self.tone(note, $0) } }
    }

    deinit { samples.deallocate() }

    /// The bar's samples, for as long as the loop lives.
    var bar: LoopSamples { LoopSamples(samples: UnsafePointer(samples.baseAddress!), frameCount: samples.count) }

    /// Mixes a sound in: a function from seconds to samples.
    private func add(at start: Double, seconds: Double, _ sampleRate: Double, _ sound: (Double) -> Double) {
        let first = Int(start * sampleRate)
        for frame in 0..<Int(seconds * sampleRate) where first + frame < samples.count {
            samples[first + frame] += Float(sound(Double(frame) / sampleRate))
        }
    }

    private static func kick(_ time: Double) -> Double {
        0.5 * sin(2 * Double.pi * (45 * time + 3 * (1 - exp(-30 * time)))) * exp(-12 * time)
    }

    /// Noise that is the same each time.
    private static func hiHat(_ time: Double) -> Double {
        let number = sin(time * 9_876_543) * 43_758.5453
        return 0.15 * (2 * (number - number.rounded(.down)) - 1) * exp(-90 * time)
    }

    /// It begins and ends at zero, so that the loop does not click.
    private static func tone(_ hertz: Double, _ time: Double) -> Double {
        0.08 * sin(2 * Double.pi * hertz * time) * min(1, time * 100, (2 - time) * 100)
    }
}
