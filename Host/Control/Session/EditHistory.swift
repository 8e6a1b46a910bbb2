// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What was before each edit, for undo and redo. Any thread.

import AudioGraph

/// A graph that can be gone back to.
struct HistoryEntry: Sendable {
    /// What the edit did, to follow "Undid: ".
    let title: String
    let document: GraphDocument
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

    /// Whether a change of a setting belongs to the edit before.
    mutating func continues(_ setting: String, at now: UInt64) -> Bool {
        guard let last = undoable.last, last.setting == setting, now &- last.time < Self.settingNanoseconds else { return false }
        undoable[undoable.count - 1].time = now
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

    /// The last edit has been taken back; `present` is what was before that.
    mutating func undid(_ present: GraphDocument) {
        guard let entry = undoable.popLast() else { return }
        redoable.append(HistoryEntry(title: entry.title, document: present))
    }

    /// An edit has been made again; `present` is what was before that.
    mutating func redid(_ present: GraphDocument) {
        guard let entry = redoable.popLast() else { return }
        undoable.append(HistoryEntry(title: entry.title, document: present))
    }

    /// Forgets everything: the graph is another scene's.
    mutating func clear() { (undoable, redoable) = ([], []) }
}
