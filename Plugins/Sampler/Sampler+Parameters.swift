// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sampler's description and parameter tree. Control thread.

import PluginSDK

/// The addresses of the parameters; from `firstChannel` on, each channel has two: program and bank.
enum Address {
    static var gain: UInt64 { @_noLocks get { 0 } }
    static var tuning: UInt64 { @_noLocks get { 1 } }
    static var pan: UInt64 { @_noLocks get { 2 } }
    static var firstChannel: UInt64 { @_noLocks get { 16 } }

    @_noLocks static func program(_ channel: Int) -> UInt64 { firstChannel &+ UInt64(2 &* channel) }
    @_noLocks static func bank(_ channel: Int) -> UInt64 { program(channel) &+ 1 }
}

extension Sampler {
    var description: UnitDescription {
        UnitDescription(
            ComponentDescription(.instrument, "samp", "blkh"), name: "Sampler", manufacturerName: "Bulkhead",
            version: UnitVersion(1, 0, 0), tags: ["Instrument", "General MIDI", "SoundFont"],
            flags: [.consentsToInProcess, .midiInput], inputs: [], outputs: [Bus("Output", supportedChannelCounts: [2])])
    }

    var parameters: ParameterTree {
        ParameterTree(
            [
                .parameter(Parameter("gain", name: "Gain", address: Address.gain, range: -90...24, default: 0, unit: .decibels)),
                .parameter(
                    Parameter(
                        "tuning", name: "Tuning", address: Address.tuning, range: -2400...2400, default: 0, unit: .cents, flags: [])
                ),
                .parameter(Parameter("pan", name: "Pan", address: Address.pan, range: -100...100, default: 0, unit: .percent)),
            ] + (0..<GeneralMIDI.channelCount).map { .group(Self.channel($0)) })
    }

    /// The parameters of a channel; MIDI changes them, too, by program changes and by controllers 0 and 32.
    private static func channel(_ index: Int) -> ParameterGroup {
        let bank = index == GeneralMIDI.drumChannel ? GeneralMIDI.drumBank : 0
        return ParameterGroup(
            "channel\(index + 1)", name: "Channel \(index + 1)",
            [
                .parameter(
                    Parameter(
                        "program", name: "Program", address: Address.program(index), range: 0...127, default: 0,
                        flags: [.integer])),
                .parameter(
                    Parameter(
                        "bank", name: "Bank", address: Address.bank(index), range: 0...16_383, default: Double(bank),
                        flags: [.integer])),
            ])
    }
}
