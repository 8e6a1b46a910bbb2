// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The lowest line: the keys and their actions; the mouse can press each. Any thread.

import Cells

/// A key in the lowest line.
struct ScreenHint {
    let key: ScreenKey
    let name, word: String
}

extension ScreenLayout {
    /// The hints that fit, with their columns; those at the right edge are always shown.
    func placedHints(_ state: ScreenState, _ model: ScreenModel) -> [(hint: ScreenHint, column: Int, width: Int)] {
        let last = [
            ScreenHint(key: .character("?"), name: "?", word: "help"), ScreenHint(key: .character("q"), name: "q", word: "leave"),
        ]
        var placed: [(ScreenHint, Int, Int)] = []
        var end = hints.columnCount - 1
        for hint in last.reversed() {
            end -= width(hint)
            placed.append((hint, end, width(hint)))
            end -= 2
        }
        var column = 1
        for hint in Self.hints(state, model) {
            guard column + width(hint) <= end else { break }
            placed.append((hint, column, width(hint)))
            column += width(hint) + 2
        }
        return placed
    }

    /// The key of the hint in a column.
    func hint(at column: Int, _ state: ScreenState, _ model: ScreenModel) -> ScreenKey? {
        placedHints(state, model).first { column >= $0.column && column < $0.column + $0.width }?.hint.key
    }

    private func width(_ hint: ScreenHint) -> Int { hint.name.count + 1 + hint.word.count }

    private static func hints(_ state: ScreenState, _ model: ScreenModel) -> [ScreenHint] {
        func letter(_ key: Unicode.Scalar, _ word: String) -> ScreenHint {
            ScreenHint(key: .character(key), name: String(Character(key)), word: word)
        }
        let isUnit = model.node(state.node)?.isUnit == true
        let ofUnits = [letter("x", "remove"), letter("b", "bypass"), letter("p", "presets")]
        return [letter("a", "add")] + (isUnit ? ofUnits : []) + [letter("s", "scenes"), letter("u", "undo")]
            + (isUnit ? [letter("v", "view")] : [])
            + [ScreenHint(key: .tab, name: "Tab", word: state.focus == .chain ? "turn" : "chain"), letter("l", "log")]
            + [letter("c", "patch")] + (isUnit ? [letter("<", "up"), letter(">", "down")] : [])
    }
}
