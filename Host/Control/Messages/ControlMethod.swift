// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The methods of the control protocol and their fields: one table for checks, help and schema. Any thread.

import JSON

/// A method that a client can call.
public struct ControlMethod: Sendable {
    /// A field of a request's `params`.
    public struct Field: Sendable {
        /// The type of a field's value.
        public enum Kind: String, Sendable {
            case text, number, flag
            /// A number, a text or a truth value.
            case value
            /// A list of texts.
            case texts
            /// An object.
            case object
        }

        /// The name.
        public let name: String
        /// The type of its value.
        public let kind: Kind
        /// True if a request needs it.
        public let isRequired: Bool
        /// Its meaning, as one sentence.
        public let summary: String
    }

    /// The name in requests.
    public let name: String
    /// Its effect, as one sentence.
    public let summary: String
    /// The fields of `params`.
    public let fields: [Field]
    /// True if the method may take longer than a few milliseconds, because it changes the graph.
    let isSlow: Bool
    /// True if the method may take many seconds: the client's next requests do not wait for its answer.
    var isSearch = false

    /// The method of that name; nil if it does not exist.
    public static func named(_ name: String) -> ControlMethod? { all.first { $0.name == name } }
}

extension ControlMethod {
    private static func method(_ name: String, _ summary: String, isSlow: Bool = false, isSearch: Bool = false, _ fields: Field...)
        -> ControlMethod
    {
        ControlMethod(name: name, summary: summary, fields: fields, isSlow: isSlow, isSearch: isSearch)
    }

    private static func field(_ name: String, _ kind: Field.Kind, _ summary: String) -> Field {
        Field(name: name, kind: kind, isRequired: true, summary: summary)
    }

    private static func option(_ name: String, _ kind: Field.Kind, _ summary: String) -> Field {
        Field(name: name, kind: kind, isRequired: false, summary: summary)
    }

    private static let spot = [
        option("after", .text, "The node behind which it goes."), option("before", .text, "The node in front of which it goes."),
    ]

    private static let view = field("view", .number, "The number that openView has returned.")

    private static let viewColors = option("colors", .number, "The number of colours that can be shown; 256 if left out.")
    private static let cellWidth = option(
        "cellWidth", .number, "How many pixels a character is wide, for a client that shows pictures in pixels.")
    private static let cellHeight = option("cellHeight", .number, "How many pixels a character is high.")

    private static let mapping = [
        option("minimum", .number, "The value at the low end; left out: the parameter's lowest."),
        option("maximum", .number, "The value at the high end; left out: the parameter's highest."),
        option("curve", .text, "One of linear, logarithmic, switch and toggle; left out: what suits the two."),
        option("pickUp", .flag, "Whether nothing moves until the knob has met the value; left out: yes."),
    ]

    /// All methods.
    public static let all: [ControlMethod] = [
        method("status", "Tells the rate, the load, the nodes and what went wrong."),
        method("graph", "Returns the graph as a document, with the settings that the units have now."),
        method("methods", "Returns the methods and their fields."),
        method("plugins", "Lists the installed plug-ins.", isSearch: true),
        method(
            "parameters", "Lists the parameters of a node with ranges, units and values.", field("node", .text, "The node.")),
        method("get", "Returns a value.", field("path", .text, "The node, a point, and the parameter.")),
        method(
            "set", "Sets a parameter or a level.", field("path", .text, "The node, a point, and the parameter."),
            field("value", .value, "The value, or its name.")),
        method("presets", "Lists the presets of a unit.", field("node", .text, "The unit.")),
        method(
            "preset", "Selects a preset of a unit.", isSlow: true, field("node", .text, "The unit."),
            field("name", .text, "The preset.")),
        method(
            "bypass", "Bypasses a unit, or ends its bypass.", field("node", .text, "The unit."),
            option("on", .flag, "Whether it is bypassed; left out: the other way round.")),
        ControlMethod(
            name: "add", summary: "Puts in a unit or a mixer.",
            fields: [
                field("plugin", .text, "The ID or the name of a plug-in, or \"mixer\"."),
                option("id", .text, "The node's name."), option("preset", .text, "The preset that it begins with."),
                option("alone", .flag, "Whether it is put in without connections."),
            ] + spot, isSlow: true),
        method("remove", "Takes a node out and joins its neighbours.", isSlow: true, field("node", .text, "The node.")),
        ControlMethod(
            name: "move", summary: "Moves a node to another place.", fields: [field("node", .text, "The node.")] + spot,
            isSlow: true),
        method(
            "connect", "Connects two nodes.", isSlow: true, field("from", .text, "A node, or a node, a colon and a bus."),
            field("to", .text, "A node, or a node, a colon and a bus."), option("volume", .number, "The gain as a factor."),
            option("pan", .number, "The pan, from -1 to 1.")),
        method(
            "disconnect", "Disconnects two nodes.", isSlow: true, field("from", .text, "As the connection has it."),
            field("to", .text, "As the connection has it.")),
        method("replace", "Makes the graph another one.", isSlow: true, field("graph", .object, "The document.")),
        method("undo", "Takes the last edit back.", isSlow: true),
        method("redo", "Makes the edit that was taken back again.", isSlow: true),
        method("scenes", "Lists the scenes."),
        method(
            "scene", "Goes to a scene: it is built beside the present one, which rings out.", isSlow: true,
            field("name", .text, "The scene, or its number from 1 on.")),
        method("saveScene", "Keeps the graph as a scene.", isSlow: true, field("name", .text, "The scene.")),
        method("removeScene", "Forgets a scene.", isSlow: true, field("name", .text, "The scene.")),
        method(
            "morph", "Chooses two scenes of one shape; setting morph.amount goes between them.",
            field("from", .text, "The scene at 0."), field("to", .text, "The scene at 1.")),
        ControlMethod(
            name: "learn", summary: "Maps the next MIDI knob, key or program that moves.",
            fields: [field("path", .text, "What it moves: NODE.PARAMETER, \"bypass NODE\", \"scene NAME\" or \"panic\".")]
                + mapping,
            isSlow: false),
        ControlMethod(
            name: "map", summary: "Maps a MIDI knob, key or program.",
            fields: [
                field(
                    "source", .text,
                    "KIND:CHANNEL:NUMBER, such as cc:1:74; kinds are cc, cc14, bend, pressure, note, program, nrpn, rel-twos, rel-offset, rel-sign."
                ),
                field("path", .text, "What it moves: NODE.PARAMETER, \"bypass NODE\", \"scene NAME\" or \"panic\"."),
            ] + mapping, isSlow: false),
        method("unmap", "Ends mappings.", field("mapping", .text, "Their source, or what they move.")),
        method("mappings", "Lists what MIDI moves."),
        method("panic", "Ends all notes and sound of all instruments, and raises their pedals."),
        method("unblock", "Starts a quarantined unit again.", isSlow: true, field("node", .text, "The unit.")),
        method(
            "watch", "Sends events of these topics from now on.",
            field("topics", .texts, "Any of meters, parameters, faults, load, edits, messages."),
            option("interval", .number, "Seconds between two events of meters and load; 0.05 at first.")),
        method("messages", "Lists the last lines that the host and its plug-ins have said."),
        method("unwatch", "Sends no more events."),
        method(
            "openView", "Opens the view that a unit draws; its pictures follow as events.", field("node", .text, "The unit."),
            field("columns", .number, "The width in characters."), field("rows", .number, "The height in characters."),
            viewColors, cellWidth, cellHeight),
        method(
            "resizeView", "Gives a view another size.", view, field("columns", .number, "The width in characters."),
            field("rows", .number, "The height in characters."), viewColors, cellWidth, cellHeight),
        method(
            "viewKey", "Presses a key in a view.", view,
            field(
                "key", .text,
                "A character, or up, down, left, right, home, end, pageUp, pageDown, delete, backspace, enter, escape, tab."),
            option("modifiers", .texts, "Any of shift, alt, control.")),
        method(
            "viewMouse", "Uses the mouse in a view.", view,
            field("action", .text, "One of press, release, drag, wheelUp, wheelDown."),
            field("column", .number, "The column, from 0."), field("row", .number, "The row, from 0."),
            option("modifiers", .texts, "Any of shift, alt, control.")),
        method(
            "viewFocus", "Tells a view whether keys go to it.", view,
            option("on", .flag, "Whether they do; left out: yes.")),
        method("closeView", "Closes a view.", view),
        method("stop", "Ends the host."),
    ]
}

extension ControlMethod {
    /// The method as clients read it.
    var json: JSONValue {
        .object(["name": .text(name), "summary": .text(summary), "fields": .list(fields.map(\.json))])
    }
}

extension ControlMethod.Field {
    fileprivate var json: JSONValue {
        .object(["name": .text(name), "kind": .text(kind.rawValue), "required": .flag(isRequired), "summary": .text(summary)])
    }
}
