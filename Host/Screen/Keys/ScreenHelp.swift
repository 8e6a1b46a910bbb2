// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The help of the screen: one line for each key. Any thread.

/// The lines of the help.
package enum ScreenHelp {
    /// A key and its action; a line without a key is a heading, or empty.
    package static let lines: [(keys: String, text: String)] = [
        ("", "Everywhere"),
        ("Tab", "goes from the chain to the parameters and back"),
        ("a  /", "adds a plug-in behind the chosen node: type to search"),
        ("p", "presets of the chosen unit"),
        ("v", "shows the views that plug-ins draw and the map of a space, or values"),
        ("b", "bypasses the chosen unit, or lets it be heard"),
        ("x", "removes the chosen unit"),
        ("<  >", "moves the chosen unit towards the source, or the output"),
        ("c", "connections: cut them, or make new ones"),
        ("s", "scenes: go to one, or keep the graph as one"),
        ("u  Ctrl-R", "takes the last change back; makes it again"),
        ("r", "starts a quarantined unit again"),
        ("!", "panic: ends all notes, and raises all pedals"),
        ("l", "log of what happened"),
        ("q", "leaves the screen; the music goes on"),
        ("Ctrl-C", "the same, at once; ends a host of its own"),
        ("Ctrl-L", "draws the screen anew"),
        ("", ""),
        ("", "In the chain"),
        ("Up  Down", "choose a node"),
        ("1 to 9", "bypass the effect of that number"),
        ("Enter", "goes to the parameters"),
        ("", ""),
        ("", "In the parameters"),
        ("Left  Right", "turn a value; with Shift, or by [ and ], finely"),
        ("{  }", "turn it in great steps"),
        ("Home  End", "the lowest and the highest value"),
        ("Delete", "the value that the plug-in begins with"),
        ("0 to 9  -", "type a value"),
        ("Enter", "flips a switch, opens a list, types a value"),
        ("Esc", "goes back to the chain"),
        ("", ""),
        ("", "On the map of a space"),
        ("Arrows", "move the listener, or the source that Enter chooses"),
        ("[  ]", "turn the head"),
        ("", ""),
        ("", "In a view all keys are the plug-in's, save Tab, Esc and Ctrl-C."),
        ("", "The mouse chooses, drags sliders, and turns them by its wheel."),
        ("", "Marks: ● heard  ○ bypassed  ! away or restarting  ✗ quarantined"),
    ]
}
