// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's factory presets. Control thread.

import PluginSDK

extension Distortion {
    static let factoryPresets = [
        FactoryPreset("Warm Tape", ["drive": 9, "bias": 0.1, "tone.lowCut": 30, "tone.highCut": 14_000, "output": -4]),
        FactoryPreset("Tube Amp", ["drive": 24, "bias": 0.35, "input.lowCut": 80, "tone.highCut": 6000, "output": -9]),
        FactoryPreset(
            "Fuzz", ["drive": 42, "curve": 1, "bias": 0.2, "input.lowCut": 60, "tone.highCut": 5000, "output": -12]),
        FactoryPreset(
            "Octave Fuzz",
            ["drive": 30, "curve": 3, "input.highCut": 5000, "tone.lowCut": 80, "tone.highCut": 7000, "output": -9]),
        FactoryPreset("Wave Folder", ["drive": 27, "curve": 2, "bias": 0.15, "tone.highCut": 12_000, "output": -8]),
        FactoryPreset(
            "Drum Crunch",
            ["drive": 18, "curve": 1, "input.lowCut": 30, "tone.highCut": 15_000, "mix": 50, "output": -6]),
        FactoryPreset(
            "Lo-Fi Drums",
            [
                "drive": 10, "crush.bits": 7, "crush.rate": 11_025, "crush.mix": 100, "tone.lowCut": 50,
                "tone.highCut": 7500, "output": -4,
            ]),
        FactoryPreset(
            "Eight Bits", ["drive": 0, "curve": 4, "crush.bits": 8, "crush.rate": 22_050, "crush.mix": 100]),
        FactoryPreset(
            "Speech Radio Tower",
            [
                "drive": 20, "curve": 1, "input.lowCut": 450, "input.highCut": 2800, "tone.lowCut": 400,
                "tone.highCut": 3000, "crush.bits": 9, "crush.rate": 8000, "crush.mix": 30, "output": -8,
            ]),
        FactoryPreset(
            "Cellphone",
            [
                "drive": 12, "curve": 1, "input.lowCut": 300, "input.highCut": 3400, "tone.lowCut": 300,
                "tone.highCut": 3400, "crush.bits": 8, "crush.rate": 8000, "crush.mix": 100, "output": -6,
            ]),
        FactoryPreset(
            "Broken Speaker",
            [
                "drive": 28, "curve": 3, "bias": -0.4, "input.lowCut": 150, "input.highCut": 3500, "tone.lowCut": 200,
                "tone.highCut": 2500, "mix": 85, "output": -8,
            ]),
        FactoryPreset(
            "Alien Chatter",
            [
                "drive": 14, "curve": 2, "input.lowCut": 150, "input.highCut": 6000, "ring.frequency": 330,
                "ring.mix": 90, "crush.bits": 6, "crush.rate": 9000, "crush.mix": 35, "tone.lowCut": 150,
                "tone.highCut": 6500, "output": -5,
            ]),
        FactoryPreset(
            "Robot Voice",
            [
                "drive": 6, "ring.frequency": 50, "ring.mix": 100, "input.lowCut": 120, "tone.highCut": 8000,
                "output": -2,
            ]),
    ]
}
