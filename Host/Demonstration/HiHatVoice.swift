// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The demonstration's hi-hat, closed, open and choked. Control thread.

import Glibc

/// Six inharmonic squares through band-pass filters, with high noise over them.
///
/// The cluster is that of the analogue cymbal (Werner, Abel and Smith, "The TR-808 Cymbal: A
/// Physically-Informed, Circuit-Bendable, Digital Model", ICMC 2014), tuned up so that it hisses more than it
/// hums.
enum HiHatVoice {
    private static let ratios = [205.3, 304.4, 369.6, 522.7, 540, 800]
    private static let tuning = 1.62

    /// Renders one stroke.
    ///
    /// `decay` is the time to fall by 8.7 dB, in seconds: about 0.03 closed and 0.25 open. `choke` is the time after which the
    /// pedal closes the hat, in seconds, or nil.
    static func render(
        velocity: Double, decay: Double, choke: Double?, seed: UInt64, sampleRate: Double
    ) -> [Double] {
        var noise = NoiseSource(seed: seed)
        var metal = Metal(sampleRate: sampleRate)
        var air = StateVariableFilter(cutoff: 8200, sampleRate: sampleRate)
        var floor = StateVariableFilter(cutoff: 6200 + 1400 * (1 - velocity), resonance: 0.9, sampleRate: sampleRate)
        let duration = min(choke.map { $0 + 0.012 } ?? .infinity, decay * 7)
        return (0..<Int(duration * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            let hiss = air.process(noise.sample()).high
            let sound = floor.process(metal.sample() + 0.42 * hiss).high
            let stick = 1 + 1.2 * velocity * exp(-time / 0.003)
            let envelope = exp(-time / decay) * stick * min(1, time / 0.0004)
            return velocity * sound * envelope * min(1, (duration - time) / 0.012)
        }
    }

    private struct Metal {
        private var oscillators: [StepOscillator]
        private var lower: StateVariableFilter
        private var upper: StateVariableFilter

        init(sampleRate: Double) {
            oscillators = ratios.enumerated().map { index, ratio in
                StepOscillator(frequency: ratio * tuning, phase: Double(index) * 0.37, sampleRate: sampleRate)
            }
            lower = StateVariableFilter(cutoff: 5100, resonance: 1.6, sampleRate: sampleRate)
            upper = StateVariableFilter(cutoff: 9800, resonance: 1.4, sampleRate: sampleRate)
        }

        mutating func sample() -> Double {
            var sum = 0.0
            for index in oscillators.indices { sum += oscillators[index].square() }
            return 0.45 * lower.process(sum).band + 0.7 * upper.process(sum).band
        }
    }
}
