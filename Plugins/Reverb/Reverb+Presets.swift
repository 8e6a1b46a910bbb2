// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb's factory presets. Control thread.

import PluginSDK

extension Reverb {
    static let factoryPresets = [
        FactoryPreset(
            "Small Room", ["decay": 0.4, "size": 4.5, "lowDecay": 0.9, "highDecay": 0.6, "early": 70, "mix": 25]),
        FactoryPreset(
            "Medium Room", ["decay": 0.8, "size": 8, "highDecay": 0.55, "preDelay": 5, "early": 60, "mix": 25]),
        FactoryPreset(
            "Large Room", ["decay": 1.2, "size": 13, "highDecay": 0.5, "preDelay": 10, "early": 60, "mix": 28]),
        FactoryPreset(
            "Chamber",
            ["decay": 1.5, "size": 11, "highDecay": 0.6, "preDelay": 12, "early": 35, "lowCut": 80, "mix": 28]),
        FactoryPreset(
            "Plate",
            [
                "decay": 2, "size": 14, "lowDecay": 0.8, "highDecay": 0.7, "early": 0, "modulationDepth": 60,
                "lowCut": 100, "mix": 30,
            ]),
        FactoryPreset(
            "Medium Hall",
            ["decay": 1.8, "size": 19, "lowDecay": 1.15, "highDecay": 0.45, "preDelay": 18, "early": 45, "mix": 30]),
        FactoryPreset(
            "Large Hall",
            ["decay": 2.8, "size": 28, "lowDecay": 1.25, "highDecay": 0.4, "preDelay": 25, "early": 40, "mix": 32]),
        FactoryPreset(
            "Cathedral",
            [
                "decay": 6.5, "size": 42, "lowDecay": 1.2, "highDecay": 0.3, "preDelay": 35, "early": 25, "mix": 35,
                "modulationDepth": 60,
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
