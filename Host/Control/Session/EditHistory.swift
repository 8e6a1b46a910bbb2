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
    /// The values that `restore` has added, and the nodes among `movedNodes`.
    private var restored: Set<HostValue> = []
    private var moved: Set<String> = []

    init(title: String, step: Step, setting: String? = nil, time: UInt64 = 0) {
        (self.title, self.step, self.setting, self.time) = (title, step, setting, time)
    }

    /// Adds values, each as it was before its first change in the step; returns the nodes that the step moves for the first time.
    mutating func restore(_ former: [ValueChange]) -> [String] {
        guard case .values(var values) = step else { return [] }
        // The array has one owner, so that it is not copied.
        step = .values([])
        let new = former.filter { restored.insert($0.value).inserted }
        values += new
        step = .values(values)
        return new.movedNodes.filter { moved.insert($0).inserted }
    }
}

extension [ValueChange] {
    /// The nodes with a value whose changes the render thread does not log, each once.
    var movedNodes: [String] {
        var seen: Set<String> = []
        return compactMap { change in
            guard case .node(let name) = change.value, !name.kind.isLogged, seen.insert(name.node).inserted else { return nil }
            return name.node
        }
    }
}

/// The edits of a session.
struct EditHistory: Sendable {
    private(set) var undoable: [HistoryEntry] = []
    private(set) var redoable: [HistoryEntry] = []
    private static let mostEntries = 200
    private let budget: StateBudget
    /// True once steps were given up because their states took too much memory.
    private(set) var hasForgotten = false

    init(budget: StateBudget = StateBudget()) { self.budget = budget }

    /// Changes of one setting within this time are one edit.
    private static let settingNanoseconds: UInt64 = 1_000_000_000

    /// True if a change of a setting belongs to the step before; a held setting has no time limit.
    mutating func continues(_ setting: String, at now: UInt64, isHeld: Bool = false) -> Bool {
        guard redoable.isEmpty, let last = undoable.last, last.setting == setting,
            isHeld || now &- last.time < Self.settingNanoseconds
        else { return false }
        undoable[undoable.count - 1].time = now
        return true
    }

    /// Has the step before restore further values; see `HistoryEntry.restore`.
    mutating func restore(_ former: [ValueChange]) -> [String] {
        undoable.isEmpty ? [] : undoable[undoable.count - 1].restore(former)
    }

    /// Keeps the step before an edit.
    mutating func add(_ entry: HistoryEntry) {
        redoable = []
        undoable.append(sharing(entry))
        if undoable.count > Self.mostEntries { undoable.removeFirst() }
        keepWithinBudget()
    }

    /// The same entry, whose states that other entries have too are theirs.
    private func sharing(_ entry: HistoryEntry) -> HistoryEntry {
        guard case .document(let document) = entry.step else { return entry }
        var entry = entry
        entry.step = .document(document.sharing(StateBudget.states(in: documents)))
        return entry
    }

    /// Forgets steps while their states take too much memory: the last ones to be redone, and then the oldest ones.
    ///
    /// The next step of either kind stays.
    private mutating func keepWithinBudget() {
        while undoable.count > 1 || redoable.count > 1, StateBudget.byteCount(of: documents) > budget.historyByteCount {
            if redoable.count > 1 { redoable.removeFirst() } else { undoable.removeFirst() }
            hasForgotten = true
        }
    }

    private var documents: [GraphDocument] {
        (undoable + redoable).compactMap { if case .document(let document) = $0.step { document } else { nil } }
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
        if toRedo { redoable.append(sharing(entry)) } else { undoable.append(sharing(entry)) }
        keepWithinBudget()
    }

    /// Forgets all steps, because the graph is another scene's.
    mutating func clear() { (undoable, redoable, hasForgotten) = ([], [], false) }
}
