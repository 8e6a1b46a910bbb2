// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A named value of the running host that clients set, controllers move and undo restores. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

/// A named value of the running host.
///
/// Every change goes through `Session.apply`: by the control protocol, OSC, MIDI, views, undo and redo.
enum HostValue: Hashable, Sendable {
    /// A parameter of a unit.
    case parameter(node: String, keyPath: String)
    /// A level, a place or an angle of a node.
    case node(GraphValue)
    /// 1 if a unit is bypassed, otherwise 0.
    case bypass(node: String)
    /// The position of the settings between two scenes.
    case morph
    /// 1 if a scene plays, otherwise 0.
    case scene(String)
    /// 0; a higher number ends all notes.
    case panic

    /// The text of a mapping that ends all notes.
    static let panicWord = "panic"

    /// True if a mapping's text names a command, which has no value to keep.
    static func isCommand(_ text: String) -> Bool { text == panicWord || sceneName(text) != nil }

    /// The name of a scene in the text of a mapping; nil for other texts.
    static func sceneName(_ text: String) -> String? { text.hasPrefix("scene ") ? String(text.dropFirst(6)) : nil }

    /// The node whose bypass the text of a mapping names; nil for other texts.
    static func bypassedNode(_ text: String) -> String? { text.hasPrefix("bypass ") ? String(text.dropFirst(7)) : nil }
}

/// The present number of a value, and its type.
struct PresentValue {
    var value: Double
    /// True if it takes only whole numbers.
    var isInteger = false
}

/// A value with its next or its former number.
struct ValueChange: Hashable, Sendable {
    let value: HostValue
    let number: Double
}
