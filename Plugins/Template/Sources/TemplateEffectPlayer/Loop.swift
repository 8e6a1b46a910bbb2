// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A bar of drums and a chord, made in code, as a sound to try. Main thread.

import Foundation

/// One bar at 120 beats a minute, in one channel.
enum Loop {
    /// The samples of the bar at a sample rate.
    static func samples(sampleRate: Double) -> [Float] {
        var samples = [Float](repeating: 0, count: Int(2 * sampleRate))
        /// Mixes a sound in: a function from seconds to samples.
        func add(at start: Double, seconds: Double, _ sound: (Double) -> Double) {
            let first = Int(start * sampleRate)
            for frame in 0..<Int(seconds * sampleRate) where first + frame < samples.count {
                samples[first + frame] += Float(sound(Double(frame) / sampleRate))
            }
        }
        for beat in 0..<4 {
            add(at: Double(beat) / 2, seconds: 0.3, kick)
            add(at: Double(beat) / 2 + 0.25, seconds: 0.05, hiHat)
        }
        for note in [220.0, 277.2, 329.6] { add(at: 0, seconds: 2) { tone(note, $0) } }
        return samples
    }

    private static func kick(_ time: Double) -> Double {
        0.5 * sin(2 * Double.pi * (45 * time + 3 * (1 - exp(-30 * time)))) * exp(-12 * time)
    }

    /// Noise that is the same each time.
    private static func hiHat(_ time: Double) -> Double {
        let number = sin(time * 9_876_543) * 43_758.5453
        return 0.15 * (2 * (number - number.rounded(.down)) - 1) * exp(-90 * time)
    }

    /// A tone that starts and ends at zero, so that the loop does not click.
    private static func tone(_ hertz: Double, _ time: Double) -> Double {
        0.08 * sin(2 * Double.pi * hertz * time) * min(1, time * 100, (2 - time) * 100)
    }
}
