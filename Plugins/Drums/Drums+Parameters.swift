// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The drum kit's description and parameter tree. Control thread.

import PluginSDK

extension Drums {
    /// The addresses are numbered in rows of this length, one row a group.
    static var addressStride: UInt64 { @_noLocks get { 8 } }
    static var volumeAddress: UInt64 { @_noLocks get { 64 } }
    static var roomAddress: UInt64 { @_noLocks get { 65 } }

    static let description = UnitDescription(
        ComponentDescription(.instrument, "drum", "blkh"), name: "Drums", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Instrument", "Drums", "General MIDI"],
        flags: [.consentsToInProcess, .midiInput], inputs: [], outputs: [Bus("Output", supportedChannelCounts: [1, 2])])

    static var view: (any View.Type)? { DrumsView.self }

    /// The parameter tree.
    ///
    /// A drum keeps the tuning and the decay of its stroke. Level and pan move while it sounds.
    static let parameters = ParameterTree(
        [
            group(0, "kick", "Kick"), group(1, "snare", "Snare", pan: -8), group(2, "hats", "Hats", pan: 28),
            group(3, "toms", "Toms"), group(4, "cymbals", "Cymbals"), group(5, "percussion", "Percussion"),
        ] + [
            .parameter(
                Parameter("volume", name: "Volume", address: volumeAddress, range: -60...12, default: 0, unit: .decibels)),
            .parameter(Parameter("room", name: "Room", address: roomAddress, range: 0...100, default: 13, unit: .percent)),
        ])

    private static func group(_ index: UInt64, _ identifier: String, _ name: String, pan: Double = 0) -> ParameterNode {
        let address = index * addressStride
        let parameters = [
            Parameter("level", name: "Level", address: address, range: -60...12, default: 0, unit: .decibels),
            Parameter(
                "tuning", name: "Tuning", address: address + 1, range: -12...12, default: 0, unit: .semitones, flags: []),
            Parameter(
                "decay", name: "Decay", address: address + 2, range: 20...300, default: 100, unit: .percent, flags: .logarithmic),
            Parameter("pan", name: "Pan", address: address + 3, range: -100...100, default: pan, unit: .percent),
        ]
        return .group(ParameterGroup(identifier, name: name, parameters.map { .parameter($0) }))
    }

    static let factoryPresets = [
        FactoryPreset("Studio", [:]),
        FactoryPreset(
            "Electronic",
            [
                "kick.tuning": -3, "kick.decay": 220, "snare.tuning": 3, "snare.decay": 80, "hats.tuning": 4, "hats.decay": 70,
                "toms.tuning": 3, "toms.decay": 170, "cymbals.decay": 60, "percussion.level": 2, "room": 3,
            ]),
        FactoryPreset(
            "Tight",
            [
                "kick.decay": 60, "kick.tuning": 1, "snare.decay": 50, "hats.decay": 60, "toms.decay": 50, "cymbals.decay": 45,
                "percussion.decay": 60, "room": 2, "volume": 1,
            ]),
        FactoryPreset(
            "Room",
            [
                "kick.decay": 115, "kick.tuning": -1, "snare.tuning": -2, "snare.decay": 130, "toms.decay": 140, "toms.tuning": -2,
                "hats.level": -2, "cymbals.decay": 130, "room": 55, "volume": -1.5,
            ]),
    ]
}
