// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A value of the running host by its name: what clients set, controllers move and undo takes back. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

/// A value of the running host by its name.
///
/// All who change one do so by `Session.apply`: the control protocol, OSC, MIDI, views, undo and redo.
enum HostValue: Hashable, Sendable {
    /// A parameter of a unit.
    case parameter(node: String, keyPath: String)
    /// A level, a place or an angle of a node.
    case node(GraphValue)
    /// Whether a unit is bypassed.
    case bypass(node: String)
    /// How far the settings are between two scenes.
    case morph
    /// Whether a scene plays.
    case scene(String)

    /// The name of a scene in the text of a mapping; nil for other texts.
    static func sceneName(_ text: String) -> String? { text.hasPrefix("scene ") ? String(text.dropFirst(6)) : nil }

    /// The node whose bypass the text of a mapping names; nil for other texts.
    static func bypassedNode(_ text: String) -> String? { text.hasPrefix("bypass ") ? String(text.dropFirst(7)) : nil }
}

/// A value with what a program sees of it.
struct PresentValue {
    var value: Double
    /// Whether it takes whole numbers alone.
    var isInteger = false
}

/// A value, and another one that it gets or had.
struct ValueChange: Hashable, Sendable {
    let value: HostValue
    let number: Double
}
