// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The synthesizer's description and parameter tree. Control thread.

import PluginSDK

extension Synth {
    static let description = UnitDescription(
        ComponentDescription(.instrument, "synt", "blkh"), name: "Synth", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Instrument", "Synthesizer"], flags: [.consentsToInProcess, .midiInput],
        inputs: [], outputs: [Bus("Output", supportedChannelCounts: [1, 2])])

    static var view: (any View.Type)? { SynthView.self }

    /// The parameter tree.
    ///
    /// Waves and the filter's type apply to notes that start after a change. All other values move while notes sound.
    static let parameters = ParameterTree([
        group("oscillator", "Oscillator", oscillator), group("filter", "Filter", filter),
        group(
            "filterEnvelope", "Filter Envelope",
            envelope(.filterAttack, .filterDecay, .filterSustain, .filterRelease, [0.005, 0.6, 30, 0.4])),
        group(
            "amplifier", "Amplifier",
            envelope(.attack, .decay, .sustain, .release, [0.004, 0.8, 70, 0.3]) + [percent("velocity", "Velocity", .velocity, 70)]),
        group("modulation", "Modulation", modulation), group("output", "Output", output),
    ])

    private static let waves = ["Sine", "Triangle", "Saw", "Pulse"]

    private static let oscillator = [
        choice("wave", "Wave", .wave, waves, 2),
        number("width", "Pulse Width", .width, 5...95, 50, .percent),
        choice("wave2", "Second Wave", .wave2, waves, 2),
        Parameter(
            "pitch2", name: "Second Pitch", address: Address.pitch2.rawValue, range: -24...24, default: 0, unit: .semitones,
            flags: [.integer]),
        number("detune", "Detune", .detune, 0...100, 12, .cents),
        percent("mix", "Second Level", .mix, 50),
        percent("sub", "Sub Level", .sub, 0),
        percent("noise", "Noise Level", .noise, 0),
        percent("spread", "Stereo Spread", .spread, 30),
    ]

    private static let filter = [
        choice("type", "Type", .filterType, ["Low Pass", "Steep Low Pass", "Band Pass", "High Pass"], 0),
        number("cutoff", "Cutoff", .cutoff, 20...20_000, 1200, .hertz, .logarithmic),
        percent("resonance", "Resonance", .resonance, 15),
        number("amount", "Envelope Amount", .amount, -8...8, 2.5, .octaves),
        percent("keyTracking", "Key Tracking", .keyTracking, 50),
        percent("velocity", "Velocity", .filterVelocity, 40),
    ]

    private static let modulation = [
        choice("wave", "Wave", .modulationWave, ["Sine", "Triangle", "Square"], 0),
        number("rate", "Rate", .rate, 0.05...20, 5.2, .hertz, .logarithmic),
        number("vibrato", "Vibrato", .vibrato, 0...100, 0, .cents),
        number("wheel", "Vibrato by Wheel", .wheel, 0...100, 35, .cents),
        number("filter", "Filter", .modulatedFilter, 0...4, 0, .octaves),
        number("width", "Pulse Width", .modulatedWidth, 0...45, 0, .percent),
        number("pressure", "Filter by Pressure", .pressure, 0...4, 1, .octaves),
    ]

    private static let output = [
        number("volume", "Volume", .volume, -60...12, 0, .decibels),
        choice("mode", "Mode", .mode, ["Poly", "Mono"], 0),
        Parameter(
            "glide", name: "Glide", address: Address.glide.rawValue, range: 0...5, default: 0, unit: .seconds, flags: []),
    ]

    private static func envelope(
        _ attack: Address, _ decay: Address, _ sustain: Address, _ release: Address, _ values: [Double]
    ) -> [Parameter] {
        [
            time("attack", "Attack", attack, values[0]), time("decay", "Decay", decay, values[1]),
            percent("sustain", "Sustain", sustain, values[2]), time("release", "Release", release, values[3]),
        ]
    }

    private static func group(_ identifier: String, _ name: String, _ parameters: [Parameter]) -> ParameterNode {
        .group(ParameterGroup(identifier, name: name, parameters.map { .parameter($0) }))
    }

    private static func number(
        _ identifier: String, _ name: String, _ address: Address, _ range: ClosedRange<Double>, _ value: Double,
        _ unit: ParameterUnit, _ flags: ParameterFlags = []
    ) -> Parameter {
        Parameter(
            identifier, name: name, address: address.rawValue, range: range, default: value, unit: unit,
            flags: flags.union(.canRamp))
    }

    private static func percent(_ identifier: String, _ name: String, _ address: Address, _ value: Double) -> Parameter {
        number(identifier, name, address, 0...100, value, .percent)
    }

    private static func time(_ identifier: String, _ name: String, _ address: Address, _ value: Double) -> Parameter {
        Parameter(
            identifier, name: name, address: address.rawValue, range: 0.001...20, default: value, unit: .seconds,
            flags: .logarithmic)
    }

    private static func choice(
        _ identifier: String, _ name: String, _ address: Address, _ choices: [String], _ index: Int
    ) -> Parameter {
        Parameter(identifier, name: name, address: address.rawValue, choices: choices, default: index)
    }
}
