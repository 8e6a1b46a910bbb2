// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The demonstration's bass drum. Control thread.

import Glibc

/// A sine that falls in pitch, and a click of the beater.
///
/// After the bridged-T resonator of analogue drum machines, whose pitch sighs downwards (Werner, Abel and
/// Smith, "A Physically-Informed, Circuit-Bendable, Digital Model of the Roland TR-808 Bass Drum Circuit",
/// DAFx 2014), with a second, faster sweep for the attack.
enum KickVoice {
    static func render(velocity: Double, seed: UInt64, sampleRate: Double) -> [Double] {
        var noise = NoiseSource(seed: seed)
        var click = StateVariableFilter(cutoff: 3200, resonance: 0.9, sampleRate: sampleRate)
        var phase = 0.0
        return (0..<Int(0.55 * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            phase += 2 * .pi * frequency(at: time, velocity) / sampleRate
            let body = sin(phase) * exp(-time / 0.11) * min(1, time / 0.0012)
            let beater = click.process(noise.sample() * exp(-time / 0.0035)).band * 0.5 * velocity
            let tail = min(1, (0.55 - time) / 0.05)
            return tanh(1.6 * velocity * body + beater) * tail
        }
    }

    private static func frequency(at time: Double, _ velocity: Double) -> Double {
        52 + 70 * exp(-time / 0.030) + 190 * velocity * exp(-time / 0.007)
    }
}
