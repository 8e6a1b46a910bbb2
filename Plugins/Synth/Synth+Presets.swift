// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizer's factory presets. Control thread.

import PluginSDK

extension Synth {
    static let factoryPresets = [
        FactoryPreset(
            "Bass",
            [
                "oscillator.wave2": 3, "oscillator.width": 40, "oscillator.detune": 8, "oscillator.mix": 40, "oscillator.sub": 60,
                "oscillator.spread": 0, "filter.type": 1, "filter.cutoff": 180, "filter.resonance": 20, "filter.amount": 3,
                "filterEnvelope.attack": 0.002, "filterEnvelope.decay": 0.45, "filterEnvelope.sustain": 15,
                "filterEnvelope.release": 0.15, "amplifier.attack": 0.003, "amplifier.decay": 1.5, "amplifier.sustain": 75,
                "amplifier.release": 0.12, "output.mode": 1, "output.glide": 0.03, "output.volume": 3,
            ]),
        FactoryPreset(
            "Lead",
            [
                "oscillator.detune": 16, "oscillator.spread": 15, "filter.type": 1, "filter.cutoff": 1400,
                "filter.resonance": 25, "filter.amount": 2, "filterEnvelope.decay": 0.7, "filterEnvelope.sustain": 45,
                "amplifier.sustain": 85, "amplifier.release": 0.25, "modulation.wheel": 60, "output.mode": 1,
                "output.glide": 0.06, "output.volume": 3,
            ]),
        FactoryPreset(
            "Pad",
            [
                "oscillator.wave": 2, "oscillator.wave2": 3, "oscillator.width": 35, "oscillator.detune": 18,
                "oscillator.spread": 80, "filter.cutoff": 700, "filter.resonance": 10, "filter.amount": 1.5,
                "filter.velocity": 20, "filterEnvelope.attack": 1.2, "filterEnvelope.decay": 3, "filterEnvelope.sustain": 60,
                "filterEnvelope.release": 2.5, "amplifier.attack": 0.7, "amplifier.decay": 2, "amplifier.sustain": 85,
                "amplifier.release": 2.5, "amplifier.velocity": 40, "modulation.rate": 0.4, "modulation.filter": 0.35,
                "modulation.width": 20, "output.volume": -4,
            ]),
        FactoryPreset(
            "Pluck",
            [
                "oscillator.wave2": 3, "oscillator.detune": 6, "oscillator.spread": 25, "filter.type": 1, "filter.cutoff": 320,
                "filter.resonance": 30, "filter.amount": 4.5, "filter.velocity": 60, "filterEnvelope.attack": 0.001,
                "filterEnvelope.decay": 0.5, "filterEnvelope.sustain": 0, "filterEnvelope.release": 0.4,
                "amplifier.attack": 0.002, "amplifier.decay": 1.6, "amplifier.sustain": 0, "amplifier.release": 0.5,
                "output.volume": -0.5,
            ]),
        FactoryPreset(
            "Brass",
            [
                "oscillator.detune": 10, "oscillator.spread": 40, "filter.cutoff": 350, "filter.resonance": 12,
                "filter.amount": 3.6, "filter.velocity": 60, "filterEnvelope.attack": 0.09, "filterEnvelope.decay": 0.9,
                "filterEnvelope.sustain": 55, "filterEnvelope.release": 0.25, "amplifier.attack": 0.045, "amplifier.decay": 1,
                "amplifier.sustain": 85, "amplifier.release": 0.2, "modulation.wheel": 25,
            ]),
        FactoryPreset(
            "Organ",
            [
                "oscillator.wave": 0, "oscillator.wave2": 0, "oscillator.pitch2": 12, "oscillator.detune": 1,
                "oscillator.mix": 40, "oscillator.sub": 50, "oscillator.spread": 30, "filter.cutoff": 12_000,
                "filter.resonance": 0, "filter.amount": 0, "amplifier.attack": 0.006, "amplifier.sustain": 100,
                "amplifier.release": 0.06, "amplifier.velocity": 15, "modulation.rate": 6.4, "modulation.vibrato": 8,
                "output.volume": -4,
            ]),
        FactoryPreset(
            "Bell",
            [
                "oscillator.wave": 0, "oscillator.wave2": 1, "oscillator.pitch2": 19, "oscillator.detune": 9,
                "oscillator.mix": 35, "oscillator.spread": 60, "filter.cutoff": 6000, "filter.resonance": 5,
                "filter.amount": 1.5, "filterEnvelope.decay": 1, "filterEnvelope.sustain": 0, "amplifier.attack": 0.002,
                "amplifier.decay": 5, "amplifier.sustain": 0, "amplifier.release": 4, "output.volume": -1,
            ]),
        FactoryPreset(
            "Strings",
            [
                "oscillator.detune": 22, "oscillator.spread": 100, "filter.type": 1, "filter.cutoff": 2600,
                "filter.resonance": 5, "filter.amount": 0.8, "filterEnvelope.attack": 0.4, "filterEnvelope.sustain": 70,
                "filterEnvelope.release": 0.8, "amplifier.attack": 0.28, "amplifier.decay": 1.5, "amplifier.sustain": 85,
                "amplifier.release": 0.7, "amplifier.velocity": 50, "modulation.rate": 4.8, "modulation.vibrato": 6,
                "output.volume": -1,
            ]),
    ]
}
