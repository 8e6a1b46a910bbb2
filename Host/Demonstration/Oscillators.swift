// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Band-limited waves for the demonstration's voices. Control thread.

/// A saw or square whose steps are smoothed over two samples with a polynomial (PolyBLEP: Välimäki and
/// Huovilainen, "Antialiasing Oscillators in Subtractive Synthesis", 2007), which keeps aliasing low.
struct StepOscillator {
    private var phase: Double
    private let increment: Double

    init(frequency: Double, phase: Double = 0, sampleRate: Double) {
        self.phase = phase - phase.rounded(.down)
        increment = min(0.45, frequency / sampleRate)
    }

    mutating func saw() -> Double {
        defer { advance() }
        return 2 * phase - 1 - step(at: phase)
    }

    mutating func square() -> Double {
        defer { advance() }
        let half = phase < 0.5 ? phase + 0.5 : phase - 0.5
        return (phase < 0.5 ? 1 : -1) + step(at: phase) - step(at: half)
    }

    private mutating func advance() {
        phase += increment
        if phase >= 1 { phase -= 1 }
    }

    private func step(at phase: Double) -> Double {
        if phase < increment {
            let near = phase / increment - 1
            return -near * near
        }
        if phase > 1 - increment {
            let near = (phase - 1) / increment + 1
            return near * near
        }
        return 0
    }
}
