// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What was before each edit, for undo and redo. Any thread.

import GraphDocuments

/// A step that can be gone back.
struct HistoryEntry: Sendable {
    /// What leads back.
    enum Step: Sendable {
        /// The graph before an edit.
        case document(GraphDocument)
        /// The values before they were changed.
        case values([ValueChange])
    }

    /// What the edit did, to follow "Undid: ".
    let title: String
    var step: Step
    /// The setting that the edit changed, where it was one: the next change of the same one belongs to it.
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

    /// Whether a change of a setting belongs to the step before, however long ago that was where the setting is held.
    ///
    /// Then the step goes back to the values in `former`, too, unless it has others for them.
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

    /// Keeps what was before an edit.
    mutating func add(_ entry: HistoryEntry) {
        undoable.append(entry)
        if undoable.count > Self.mostEntries { undoable.removeFirst() }
        redoable = []
    }

    /// The entry to go back to.
    var undo: HistoryEntry? { undoable.last }
    /// The entry to go forward to.
    var redo: HistoryEntry? { redoable.last }

    /// Takes the last edit out, to take it back.
    mutating func takeUndo() -> HistoryEntry? { undoable.popLast() }

    /// Takes the edit out that was taken back last, to make it again.
    mutating func takeRedo() -> HistoryEntry? { redoable.popLast() }

    /// An edit has been taken back, or could not be; it can be made again, or taken back as before.
    mutating func put(_ entry: HistoryEntry, toRedo: Bool) {
        if toRedo { redoable.append(entry) } else { undoable.append(entry) }
    }

    /// Forgets everything: the graph is another scene's.
    mutating func clear() { (undoable, redoable) = ([], []) }
}
