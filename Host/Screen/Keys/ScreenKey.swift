// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's input: a key, the mouse, or pasted text. Any thread.

/// An input of the user.
package enum ScreenKey: Hashable, Sendable {
    case character(Unicode.Scalar)
    /// A letter with Ctrl, such as "r".
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown, delete, backspace, enter, escape, tab, backTab
    /// A key with Shift.
    case shiftLeft, shiftRight, shiftUp, shiftDown
    case mouse(ScreenMouse)
    case paste(String)
}

/// An input by mouse.
package struct ScreenMouse: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case press, drag, release, wheelUp, wheelDown
    }

    package var kind: Kind
    /// The cell, counted from the upper left one.
    package var column, row: Int

    package init(_ kind: Kind, column: Int, row: Int) { (self.kind, self.column, self.row) = (kind, column, row) }
}
