// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The description of the effect for a host: its name, its parameters and its presets.

import PluginSDK

extension TemplateEffect {
    /// The identity of the effect.
    ///
    /// The two codes and the type identify it together, so keep them once people use it.
    public static let description = UnitDescription(
        ComponentDescription(.effect, "tmpl", "Tmpl"), name: "Template Effect", manufacturerName: "Template Author",
        version: UnitVersion(1, 0, 0), tags: ["Modulation"], flags: .consentsToInProcess)

    /// The parameters that a host can set.
    ///
    /// Identifiers are permanent, because songs record them; names and ranges are for people.
    public static let parameters = ParameterTree(
        Parameter(
            "rate", name: "Rate", address: Address.rate.rawValue, range: 0.1...20, default: 5, unit: .hertz,
            flags: [.canRamp, .logarithmic]),
        Parameter("depth", name: "Depth", address: Address.depth.rawValue, range: 0...100, default: 60, unit: .percent),
        Parameter("level", name: "Level", address: Address.level.rawValue, range: -60...12, default: 0, unit: .decibels))

    /// The picture that a host shows, on a terminal or in a file.
    public static var view: (any View.Type)? { TemplateEffectView.self }

    /// Sets of values that come with the effect.
    ///
    /// A parameter that is left out takes its default.
    public static let factoryPresets = [
        FactoryPreset("Slow Swell", ["rate": 0.8, "depth": 90]),
        FactoryPreset("Helicopter", ["rate": 14, "depth": 100, "level": 3]),
    ]
}
