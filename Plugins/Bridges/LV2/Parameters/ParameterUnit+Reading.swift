// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The unit of a number in a bundle. Control thread.

import PluginSDK

extension ParameterUnit {
    private static let known: [String: ParameterUnit] = [
        "beat": .beats, "bpm": .beatsPerMinute, "cent": .cents, "coef": .linearGain, "db": .decibels, "degree": .degrees,
        "frame": .frames, "hz": .hertz, "m": .meters, "midiNote": .midiNote, "ms": .milliseconds, "oct": .octaves,
        "pc": .percent, "s": .seconds, "semitone12TET": .semitones,
    ]

    /// The unit of a port or a property; generic if there is none or an unknown one.
    init(of node: Node, in world: World) {
        let uri = world.value(node, Names.units + "unit")?.text ?? ""
        self = uri.hasPrefix(Names.units) ? Self.known[String(uri.dropFirst(Names.units.count))] ?? .generic : .generic
    }
}
