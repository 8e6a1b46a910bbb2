// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The delay's description, parameter tree and factory presets. Control thread.

import PluginSDK

extension Delay {
    /// The longest delay in seconds, set by `time` or by the tempo.
    static var longest: Double { @_noLocks get { 5 } }
    /// The shortest delay of the feedback loop, in seconds.
    static var shortest: Double { @_noLocks get { 0.001 } }

    static var view: (any View.Type)? { DelayView.self }

    static let description = UnitDescription(
        ComponentDescription(.effect, "dlay", "blkh"), name: "Delay", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Delay", "Echo"], flags: .consentsToInProcess)

    static let parameters = ParameterTree(
        // At 0 the repeats are the input itself, without feedback. Values just above are clamped to the shortest time.
        Parameter("time", name: "Time", address: 0, range: 0...longest, default: 0.35, unit: .seconds),
        // The share of the sound that is fed back. `apply` clamps it to 99.9 % in either polarity.
        Parameter("feedback", name: "Feedback", address: 1, range: -100...100, default: 40, unit: .percent),
        // A first-order filter in the feedback path. The first repeat is as bright as the input.
        Parameter(
            "lowpass", name: "Low-Pass Cutoff", address: 2, range: 10...22_000, default: 12_000, unit: .hertz,
            flags: [.canRamp, .logarithmic]),
        // 0 is only the input, 100 only the repeats, with straight lines in between.
        Parameter("mix", name: "Mix", address: 3, range: 0...100, default: 35, unit: .percent),
        // Repeats change sides. It works on pairs of channels; an odd last channel stays as it is.
        Parameter("pingPong", name: "Ping-Pong", address: 4, isOn: false),
        // The delay as a note at the song's tempo, instead of `time`.
        Parameter("sync", name: "Sync", address: 5, choices: noteNames))

    private static let noteNames = [
        "Off", "1/32", "1/16 T", "1/16", "1/8 T", "1/16 D", "1/8", "1/4 T", "1/8 D", "1/4", "1/2 T", "1/4 D", "1/2",
        "1/1",
    ]

    /// The length of a note in quarter notes; nil if `sync` is off.
    @_noLocks static func beats(ofNote number: Int) -> Double? {
        switch number {
        case 1: 1.0 / 8
        case 2: 1.0 / 6
        case 3: 1.0 / 4
        case 4: 1.0 / 3
        case 5: 3.0 / 8
        case 6: 1.0 / 2
        case 7: 2.0 / 3
        case 8: 3.0 / 4
        case 9: 1
        case 10: 4.0 / 3
        case 11: 3.0 / 2
        case 12: 2
        case 13: 4
        default: nil
        }
    }

    static let factoryPresets = [
        FactoryPreset("Slapback", ["time": 0.11, "feedback": 8, "mix": 30, "lowpass": 7000]),
        FactoryPreset("Worn Tape", ["time": 0.38, "feedback": 48, "mix": 35, "lowpass": 2400]),
        FactoryPreset("Dotted Eighth", ["sync": 8, "feedback": 42, "mix": 32, "lowpass": 9000]),
        FactoryPreset("Side to Side", ["sync": 6, "pingPong": 1, "feedback": 55, "mix": 35, "lowpass": 8000]),
        FactoryPreset("Doubler", ["time": 0.024, "feedback": 0, "mix": 45, "lowpass": 22_000]),
        FactoryPreset("Comb", ["time": 0.006, "feedback": -85, "mix": 50, "lowpass": 16_000]),
        FactoryPreset("Canyon", ["time": 0.9, "feedback": 70, "mix": 30, "lowpass": 3200]),
    ]
}
