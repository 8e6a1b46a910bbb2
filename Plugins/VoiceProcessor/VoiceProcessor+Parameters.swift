// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The voice processor's description, parameter tree and factory presets. Control thread.

import PluginSDK

extension VoiceProcessor {
    /// The addresses of the parameters.
    enum Address {
        static var echoCancellation: UInt64 { @_noLocks get { 0 } }
        static var noiseSuppression: UInt64 { @_noLocks get { 1 } }
        static var noiseSuppressionAmount: UInt64 { @_noLocks get { 2 } }
        static var gainControl: UInt64 { @_noLocks get { 3 } }
        static var mute: UInt64 { @_noLocks get { 4 } }
        static var speech: UInt64 { @_noLocks get { 5 } }
        static var gainTarget: UInt64 { @_noLocks get { 6 } }
        static var echoReach: UInt64 { @_noLocks get { 7 } }
        static var echoDelay: UInt64 { @_noLocks get { 8 } }
    }

    static let description = UnitDescription(
        ComponentDescription(.effect, "vpio", "blkh"), name: "Voice Processor", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Voice", "Echo Cancellation", "Noise Suppression"], flags: .consentsToInProcess,
        inputs: [
            Bus("Microphone", supportedChannelCounts: [1, 2]),
            // The loudspeaker's sound. Without it there is no echo to cancel.
            Bus("Far End", supportedChannelCounts: [1, 2], isOptional: true),
        ],
        outputs: [Bus("Output", supportedChannelCounts: [1, 2])])

    static let parameters = ParameterTree(
        Parameter("echoCancellation", name: "Echo Cancellation", address: Address.echoCancellation, isOn: true),
        Parameter("noiseSuppression", name: "Noise Suppression", address: Address.noiseSuppression, isOn: true),
        // The most by which steady noise is lowered.
        Parameter(
            "noiseSuppressionAmount", name: "Noise Suppression Amount", address: Address.noiseSuppressionAmount, range: 0...40,
            default: 15, unit: .decibels, flags: [.integer]),
        Parameter("gainControl", name: "Gain Control", address: Address.gainControl, isOn: true),
        // The level of speech that the gain control aims at.
        Parameter(
            "gainTarget", name: "Gain Target", address: Address.gainTarget, range: -40...(-18), default: -20, unit: .decibels,
            flags: []),
        // The longest delay at which the echo is looked for. The delay is found while the far end sounds.
        Parameter(
            "echoReach", name: "Echo Reach", address: Address.echoReach, range: 0.1...1, default: 1, unit: .seconds, flags: []),
        Parameter("mute", name: "Mute", address: Address.mute, isOn: false),
        // 1 while a person speaks into the microphone, muted or not.
        Parameter("speech", name: "Speech", address: Address.speech, range: 0...1, default: 0, flags: [.meter, .integer]),
        // The delay of the echo behind the far end; 0 before it was found.
        Parameter(
            "echoDelay", name: "Echo Delay", address: Address.echoDelay, range: 0...1, default: 0, unit: .seconds, flags: [.meter]))

    static let factoryPresets = [
        FactoryPreset("Voice Call", [:]),
        FactoryPreset("Noisy Street", ["noiseSuppressionAmount": 30]),
        FactoryPreset("Echo Cancellation Only", ["noiseSuppression": 0, "gainControl": 0]),
    ]
}
