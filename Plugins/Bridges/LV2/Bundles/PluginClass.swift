// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The classes of plug-ins: their parents and their names. Any thread.

/// LV2's tree of classes.
///
/// It is written down here, because reading the specification would make every start much slower.
enum PluginClass {
    /// Each class and its parent.
    private static let parents: [String: String] = [
        "AllpassPlugin": "FilterPlugin", "AmplifierPlugin": "DynamicsPlugin", "AnalyserPlugin": "UtilityPlugin",
        "BandpassPlugin": "FilterPlugin", "ChorusPlugin": "ModulatorPlugin", "CombPlugin": "FilterPlugin",
        "CompressorPlugin": "DynamicsPlugin", "ConstantPlugin": "GeneratorPlugin", "ConverterPlugin": "UtilityPlugin",
        "EQPlugin": "FilterPlugin", "EnvelopePlugin": "DynamicsPlugin", "ExpanderPlugin": "DynamicsPlugin",
        "FlangerPlugin": "ModulatorPlugin", "FunctionPlugin": "UtilityPlugin", "GatePlugin": "DynamicsPlugin",
        "HighpassPlugin": "FilterPlugin", "InstrumentPlugin": "GeneratorPlugin", "LimiterPlugin": "DynamicsPlugin",
        "LowpassPlugin": "FilterPlugin", "MixerPlugin": "UtilityPlugin", "MultiEQPlugin": "EQPlugin",
        "OscillatorPlugin": "GeneratorPlugin", "ParaEQPlugin": "EQPlugin", "PhaserPlugin": "ModulatorPlugin",
        "PitchPlugin": "SpectralPlugin", "ReverbPlugin": "DelayPlugin", "WaveshaperPlugin": "DistortionPlugin",
    ]

    private static let names: [String: String] = [
        "EQPlugin": "EQ", "MIDIPlugin": "MIDI", "MultiEQPlugin": "Multiband EQ", "ParaEQPlugin": "Parametric EQ",
    ]

    /// Classes by their URIs, each with all its parents, the nearest first.
    static func hierarchy(of uris: [String]) -> [String] {
        var found: [String] = []
        for uri in uris.sorted() where uri.hasPrefix(Names.core) {
            var name: String? = String(uri.dropFirst(Names.core.count))
            while let current = name, current != "Plugin" {
                if current.hasSuffix("Plugin"), !found.contains(current) { found.append(current) }
                name = parents[current]
            }
        }
        return found
    }

    /// The tag of a class: `CompressorPlugin` is a Compressor.
    static func tag(of name: String) -> String { names[name] ?? String(name.dropLast("Plugin".count)) }
}
