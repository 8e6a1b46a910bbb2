// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Levels that controllers move: the newest value of each is set on the session's thread, however many come. Any thread.

import GraphDocuments
import Synchronization

/// Levels that wait to be set.
final class LevelChanges: Sendable {
    private let values = Mutex<[String: Double]>([:])

    /// The value that a level is about to have.
    func waiting(_ path: String) -> Double? { values.withLock { $0[path] } }

    /// Has a level set soon.
    func set(_ path: String, to value: Double, in session: Session) {
        let isFirst = values.withLock { values in
            defer { values[path] = value }
            return values.isEmpty
        }
        if isFirst { session.worker.add { [self] in apply(to: session) } }
    }

    private func apply(to session: Session) {
        while true {
            let taken = values.withLock { $0 }
            guard !taken.isEmpty else { return }
            session.set(levels: taken)
            values.withLock { values in values = values.filter { $0.value != taken[$0.key] } }
        }
    }
}

extension Session {
    /// Sets several levels in one edit; those that are gone are passed over.
    fileprivate func set(levels: [String: Double]) {
        var changes: [(node: String, level: NodeLevel, value: Double)] = []
        for (path, value) in levels {
            guard case .level(let node, let level)? = try? target(path), level.range.contains(value) else { continue }
            changes.append((node, level, value))
            tellLevel(path, value)
        }
        guard let first = levels.keys.min(), !changes.isEmpty else { return }
        try? edit("set \(first)", setting: "levels") { document throws(ControlError) in
            for change in changes { change.level.set(change.value, of: change.node, in: &document) }
        }
    }
}
