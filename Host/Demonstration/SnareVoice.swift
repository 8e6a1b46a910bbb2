// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The demonstration's snare drum, from ghost note to backbeat. Control thread.

import Glibc

/// Two membrane modes and the rattle of the wires.
///
/// The modes stand about as far apart as the lowest two of a snare drum with both heads coupled (Fletcher and
/// Rossing, "The Physics of Musical Instruments", chapter 18); the wires are noise through filters, as in
/// subtractive drum synthesis, brighter and longer the harder the stroke.
enum SnareVoice {
    static func render(velocity: Double, seed: UInt64, sampleRate: Double) -> [Double] {
        var noise = NoiseSource(seed: seed)
        var wires = Wires(velocity: velocity, sampleRate: sampleRate)
        var modes = Modes(velocity: velocity, sampleRate: sampleRate)
        let duration = 0.16 + 0.3 * velocity
        return (0..<Int(duration * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            let sound = modes.sample(at: time) * 0.55 + 1.25 * wires.sample(noise.sample(), at: time)
            return velocity * tanh(1.3 * sound) * min(1, (duration - time) / 0.03)
        }
    }

    private struct Modes {
        let velocity: Double
        let sampleRate: Double
        private var lower = 0.0
        private var upper = 0.0

        init(velocity: Double, sampleRate: Double) {
            self.velocity = velocity
            self.sampleRate = sampleRate
        }

        mutating func sample(at time: Double) -> Double {
            // A struck head is tighter at first.
            let tension = 1 + 0.22 * velocity * exp(-time / 0.012)
            lower += 2 * .pi * 186 * tension / sampleRate
            upper += 2 * .pi * 331 * tension / sampleRate
            return sin(lower) * exp(-time / 0.055) + 0.6 * sin(upper) * exp(-time / 0.038)
        }
    }

    private struct Wires {
        let velocity: Double
        private var low: StateVariableFilter
        private var peak: StateVariableFilter
        private var top: StateVariableFilter

        init(velocity: Double, sampleRate: Double) {
            self.velocity = velocity
            low = StateVariableFilter(cutoff: 620, sampleRate: sampleRate)
            peak = StateVariableFilter(cutoff: 4300, resonance: 0.8, sampleRate: sampleRate)
            top = StateVariableFilter(cutoff: 4500 + 9000 * velocity, sampleRate: sampleRate)
        }

        mutating func sample(_ noise: Double, at time: Double) -> Double {
            let crack = exp(-time / 0.012)
            let rattle = 0.55 * exp(-time / (0.045 + 0.065 * velocity)) * min(1, time / 0.002)
            let bright = low.process(noise).high
            let shaped = 0.55 * bright + 0.9 * peak.process(bright).band
            return top.process(shaped).low * (0.6 * velocity * crack + rattle)
        }
    }
}
