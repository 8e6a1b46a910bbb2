// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion's factory presets. Control thread.

import PluginSDK

extension Distortion {
    static let factoryPresets = familiarPresets + ownPresets

    /// The names and their order are those of AVAudioUnitDistortion; the sounds are our own.
    private static let familiarPresets = [
        FactoryPreset(
            "Drums Bit Brush",
            [
                "drive": 6, "crush.bits": 4, "crush.rate": 24_000, "crush.mix": 75, "tone.lowCut": 40,
                "tone.highCut": 11_000, "output": -4,
            ]),
        FactoryPreset(
            "Drums Buffer Beats",
            [
                "drive": 6, "echo.time": 62.5, "echo.feedback": 80, "echo.mix": 55, "crush.bits": 10,
                "crush.rate": 16_000, "crush.mix": 60, "tone.highCut": 10_000, "output": -3,
            ]),
        FactoryPreset(
            "Drums Lo-Fi",
            [
                "drive": 10, "crush.bits": 7, "crush.rate": 11_025, "crush.mix": 100, "tone.lowCut": 50,
                "tone.highCut": 7500, "output": -4,
            ]),
        FactoryPreset(
            "Multi Broken Speaker",
            [
                "drive": 28, "curve": 3, "bias": -0.4, "input.lowCut": 150, "input.highCut": 3500, "tone.lowCut": 200,
                "tone.highCut": 2500, "mix": 85, "output": -8,
            ]),
        FactoryPreset(
            "Multi Cellphone Concert",
            [
                "drive": 12, "curve": 1, "input.lowCut": 300, "input.highCut": 3400, "tone.lowCut": 300,
                "tone.highCut": 3400, "crush.bits": 8, "crush.rate": 8000, "crush.mix": 100, "output": -6,
            ]),
        FactoryPreset(
            "Multi Decimated 1",
            ["drive": 0, "curve": 4, "crush.bits": 12, "crush.rate": 16_000, "crush.mix": 100, "output": -3]),
        FactoryPreset(
            "Multi Decimated 2",
            ["drive": 0, "curve": 4, "crush.bits": 8, "crush.rate": 9000, "crush.mix": 100, "output": -3]),
        FactoryPreset(
            "Multi Decimated 3", ["drive": 6, "crush.bits": 6, "crush.rate": 5000, "crush.mix": 100, "output": -4]),
        FactoryPreset(
            "Multi Decimated 4",
            ["drive": 9, "crush.bits": 4, "crush.rate": 2500, "crush.mix": 100, "tone.highCut": 9000, "output": -5]),
        FactoryPreset(
            "Multi Distorted Funk",
            [
                "drive": 22, "curve": 2, "bias": 0.25, "input.lowCut": 180, "input.highCut": 4000, "tone.highCut": 6500,
                "mix": 75, "output": -5,
            ]),
        FactoryPreset(
            "Multi Distorted Cubed", ["drive": 16, "curve": 6, "tone.highCut": 14_000, "mix": 90, "output": -3]),
        FactoryPreset(
            "Multi Distorted Squared",
            ["drive": 16, "curve": 5, "tone.lowCut": 30, "tone.highCut": 12_000, "mix": 80, "output": -3]),
        FactoryPreset(
            "Multi Echo 1",
            ["drive": 8, "echo.time": 250, "echo.feedback": 40, "echo.mix": 40, "tone.highCut": 12_000, "output": -3]),
        FactoryPreset(
            "Multi Echo 2",
            [
                "drive": 14, "echo.time": 375, "echo.feedback": 60, "echo.mix": 45, "input.lowCut": 120,
                "tone.highCut": 5000, "output": -5,
            ]),
        FactoryPreset(
            "Multi Echo Tight 1",
            ["drive": 8, "echo.time": 48, "echo.feedback": 35, "echo.mix": 45, "tone.highCut": 12_000, "output": -3]),
        FactoryPreset(
            "Multi Echo Tight 2",
            [
                "drive": 16, "curve": 1, "echo.time": 21, "echo.feedback": 65, "echo.mix": 50, "tone.highCut": 8000,
                "output": -6,
            ]),
        FactoryPreset(
            "Multi Everything Is Broken",
            [
                "drive": 24, "curve": 3, "bias": -0.2, "input.lowCut": 200, "input.highCut": 4500, "ring.frequency": 73,
                "ring.mix": 70, "crush.bits": 4, "crush.rate": 4000, "crush.mix": 70, "echo.time": 33,
                "echo.feedback": 75, "echo.mix": 50, "tone.lowCut": 150, "tone.highCut": 5000, "output": 0,
            ]),
        FactoryPreset(
            "Speech Alien Chatter",
            [
                "drive": 14, "curve": 2, "input.lowCut": 150, "input.highCut": 6000, "ring.frequency": 330,
                "ring.mix": 90, "crush.bits": 6, "crush.rate": 9000, "crush.mix": 35, "tone.lowCut": 150,
                "tone.highCut": 6500, "output": -5,
            ]),
        FactoryPreset(
            "Speech Cosmic Interference",
            [
                "drive": 10, "curve": 2, "input.lowCut": 200, "ring.frequency": 1250, "ring.mix": 60, "echo.time": 9,
                "echo.feedback": 80, "echo.mix": 55, "tone.highCut": 9000, "output": -5,
            ]),
        FactoryPreset(
            "Speech Golden Pi",
            [
                "drive": 8, "ring.frequency": 314.16, "ring.mix": 100, "echo.time": 161.8, "echo.feedback": 38.2,
                "echo.mix": 38.2, "input.lowCut": 100, "output": -4,
            ]),
        FactoryPreset(
            "Speech Radio Tower",
            [
                "drive": 20, "curve": 1, "input.lowCut": 450, "input.highCut": 2800, "tone.lowCut": 400,
                "tone.highCut": 3000, "crush.bits": 9, "crush.rate": 8000, "crush.mix": 30, "output": -8,
            ]),
        FactoryPreset(
            "Speech Waves",
            [
                "drive": 6, "ring.frequency": 4, "ring.mix": 85, "echo.time": 90, "echo.feedback": 50, "echo.mix": 40,
                "tone.highCut": 7000, "output": -3,
            ]),
    ]

    private static let ownPresets = [
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
        FactoryPreset("Eight Bits", ["drive": 0, "curve": 4, "crush.bits": 8, "crush.rate": 22_050, "crush.mix": 100]),
        FactoryPreset(
            "Robot Voice",
            [
                "drive": 6, "ring.frequency": 50, "ring.mix": 100, "input.lowCut": 120, "tone.highCut": 8000,
                "output": -2,
            ]),
    ]
}
