// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Input for units. Any thread.

import Realtime

/// Signals for the input of units.
enum TestSignal {
    static func sine(frames: Int, frequency: Double = 220, amplitude: Double = 0.5, sampleRate: Double = 48_000) -> [Float] {
        (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate)) }
    }

    static func noise(frames: Int, using random: inout SeededRandom) -> [Float] {
        (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
    }

    private static func sin(_ x: Double) -> Double { Maths.sin(x) }
}
