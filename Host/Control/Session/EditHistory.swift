// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The graphs and values before each edit, for undo and redo. Any thread.

import GraphDocuments

/// A step of undo or redo.
struct HistoryEntry: Sendable {
    /// The way back.
    enum Step: Sendable {
        /// The graph before an edit.
        case document(GraphDocument)
        /// The values before they were changed.
        case values([ValueChange])
    }

    /// A title of the edit, which follows "Undid: ".
    let title: String
    var step: Step
    /// The setting that the edit changed, which the next change of the same setting joins; nil for other edits.
    var setting: String?
    var time: UInt64 = 0
}

/// The edits of a session.
struct EditHistory: Sendable {
    private(set) var undoable: [HistoryEntry] = []
    private(set) var redoable: [HistoryEntry] = []
    private static let mostEntries = 200
    /// Changes of one setting within this time are one edit.
    private static let settingNanoseconds: UInt64 = 1_000_000_000

    /// True if a change of a setting belongs to the step before; a held setting has no time limit.
    ///
    /// The step then also restores the values in `former` that it does not have yet.
    mutating func continues(_ setting: String, at now: UInt64, isHeld: Bool = false, adding former: [ValueChange] = []) -> Bool {
        guard redoable.isEmpty, let last = undoable.last, last.setting == setting,
            isHeld || now &- last.time < Self.settingNanoseconds
        else { return false }
        undoable[undoable.count - 1].time = now
        guard case .values(let known) = last.step else { return true }
        let new = former.filter { change in !known.contains { $0.value == change.value } }
        if !new.isEmpty { undoable[undoable.count - 1].step = .values(known + new) }
        return true
    }

    /// Keeps the step before an edit.
    mutating func add(_ entry: HistoryEntry) {
        undoable.append(entry)
        if undoable.count > Self.mostEntries { undoable.removeFirst() }
        redoable = []
    }

    /// The step that undo takes.
    var undo: HistoryEntry? { undoable.last }
    /// The step that redo takes.
    var redo: HistoryEntry? { redoable.last }

    /// Removes the last edit, for undo.
    mutating func takeUndo() -> HistoryEntry? { undoable.popLast() }

    /// Removes the edit that was undone last, for redo.
    mutating func takeRedo() -> HistoryEntry? { redoable.popLast() }

    /// Puts an undone edit back for redo, or an edit back for undo.
    mutating func put(_ entry: HistoryEntry, toRedo: Bool) {
        if toRedo { redoable.append(entry) } else { undoable.append(entry) }
    }

    /// Forgets all steps, because the graph is another scene's.
    mutating func clear() { (undoable, redoable) = ([], []) }
}
