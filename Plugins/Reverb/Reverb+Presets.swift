// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb's factory presets. Control thread.

import PluginSDK

extension Reverb {
    /// The names and their order are those of AVAudioUnitReverb; the sounds are our own, and so are the last two.
    static let factoryPresets = [
        FactoryPreset(
            "Small Room", ["decay": 0.4, "size": 4.5, "lowDecay": 0.9, "highDecay": 0.6, "early": 70, "mix": 25]),
        FactoryPreset(
            "Medium Room", ["decay": 0.8, "size": 8, "highDecay": 0.55, "preDelay": 5, "early": 60, "mix": 25]),
        FactoryPreset(
            "Large Room", ["decay": 1.2, "size": 13, "highDecay": 0.5, "preDelay": 10, "early": 60, "mix": 28]),
        FactoryPreset(
            "Medium Hall",
            ["decay": 1.8, "size": 19, "lowDecay": 1.15, "highDecay": 0.45, "preDelay": 18, "early": 45, "mix": 30]),
        FactoryPreset(
            "Large Hall",
            ["decay": 2.8, "size": 28, "lowDecay": 1.25, "highDecay": 0.4, "preDelay": 25, "early": 40, "mix": 32]),
        FactoryPreset(
            "Plate",
            [
                "decay": 2, "size": 14, "lowDecay": 0.8, "highDecay": 0.7, "early": 0, "modulationDepth": 60,
                "lowCut": 100, "mix": 30,
            ]),
        FactoryPreset(
            "Medium Chamber",
            ["decay": 1.5, "size": 11, "highDecay": 0.6, "preDelay": 12, "early": 35, "lowCut": 80, "mix": 28]),
        FactoryPreset(
            "Large Chamber",
            ["decay": 2.2, "size": 16, "highDecay": 0.55, "preDelay": 18, "early": 30, "lowCut": 70, "mix": 28]),
        FactoryPreset(
            "Cathedral",
            [
                "decay": 6.5, "size": 42, "lowDecay": 1.2, "highDecay": 0.3, "preDelay": 35, "early": 25, "mix": 35,
                "modulationDepth": 60,
            ]),
        // Bare walls: bright, with strong reflections.
        FactoryPreset(
            "Large Room 2",
            ["decay": 1.6, "size": 15, "lowDecay": 0.85, "highDecay": 0.8, "preDelay": 4, "early": 80, "mix": 28]),
        // Wood and velvet: warm and dark.
        FactoryPreset(
            "Medium Hall 2",
            [
                "decay": 2.1, "size": 21, "lowDecay": 1.35, "highDecay": 0.3, "preDelay": 24, "early": 35,
                "highCut": 9000, "mix": 32,
            ]),
        // Stone: clear, with little bass.
        FactoryPreset(
            "Medium Hall 3",
            [
                "decay": 1.4, "size": 17, "lowDecay": 0.9, "highDecay": 0.65, "preDelay": 12, "early": 60,
                "lowCut": 120, "mix": 28,
            ]),
        // Further from the stage than the other large hall, and longer.
        FactoryPreset(
            "Large Hall 2",
            [
                "decay": 3.6, "size": 33, "lowDecay": 1.1, "highDecay": 0.5, "preDelay": 40, "early": 20,
                "modulationDepth": 60, "mix": 35,
            ]),
        FactoryPreset(
            "Ambience", ["decay": 0.6, "size": 9, "highDecay": 0.7, "early": 80, "lowCut": 120, "mix": 20]),
        FactoryPreset(
            "Endless",
            [
                "decay": 20, "size": 35, "highDecay": 0.5, "early": 0, "modulationDepth": 60, "lowCut": 80,
                "highCut": 9000, "mix": 50,
            ]),
    ]
}
