// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The demonstration's electric piano. Control thread.

import Glibc

/// A tine and its tone bar by frequency modulation.
///
/// One modulator at the note's own pitch makes the warmth, and one far above it the stroke.
///
/// Source: Chowning, "The Synthesis of Complex Audio Spectra by Means of Frequency Modulation", 1973.
enum ElectricPianoVoice {
    static func render(note: Int, duration: Double, velocity: Double, sampleRate: Double) -> [Double] {
        let frequency = Pitch.hertz(ofNote: note)
        let step = 2 * .pi * frequency / sampleRate
        let hasTine = 15 * frequency < 0.45 * sampleRate
        let length = duration + 0.35
        return (0..<Int(length * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            let phase = step * Double(frame)
            let warmth = 1.1 * velocity * exp(-time / 0.7) * sin(phase)
            let tine = hasTine ? 0.13 * velocity * exp(-time / 0.06) * sin(14 * phase) : 0
            let release = time < duration ? 1 : exp(-(time - duration) / 0.08)
            let envelope = min(1, time / 0.002) * exp(-time / 1.1) * release
            return velocity * (sin(phase + warmth) + tine) * envelope * min(1, (length - time) / 0.02)
        }
    }
}
