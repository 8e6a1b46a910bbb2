// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A simple bass guitar for the demonstration. Control thread.

import DSP
import Glibc

/// A saw through a low-pass filter that closes like a plucked string, over a sine.
///
/// The method is subtractive synthesis, in the manner of Moog.
enum BassVoice {
    static func render(note: Int, duration: Double, velocity: Double, sampleRate: Double) -> [Double] {
        let frequency = Pitch.hertz(ofNote: note)
        var saw = StepOscillator(frequency: frequency, phase: 0.5, sampleRate: sampleRate)
        var filter = StateVariableFilter(cutoff: 200, resonance: 0.9, sampleRate: sampleRate)
        return (0..<Int((duration + 0.06) * sampleRate)).map { frame in
            let time = Double(frame) / sampleRate
            if frame % 16 == 0 { filter.tune(to: 160 + 1300 * velocity * exp(-time / 0.09)) }
            let sub = sin(2 * .pi * frequency * time)
            let sound = 0.55 * filter.process(saw.saw()).low + 0.6 * sub
            let release = time < duration ? 1 : exp(-(time - duration) / 0.015)
            let envelope = min(1, time / 0.004) * (0.35 + 0.65 * exp(-time / 0.35)) * release
            return velocity * sound * envelope * min(1, (duration + 0.06 - time) / 0.01)
        }
    }
}

/// Pitches in equal temperament.
enum Pitch {
    /// The frequency of a MIDI note number; 69 is 440 Hz.
    static func hertz(ofNote note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }
}
