// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes a session on a thread of its own, since its effects may keep much. Main thread.

import Control
import LinuxSystem
import Synchronization

/// A session that is being written into its file.
final class SessionWriting: Sendable {
    /// The sentence about a missing seal, or nil; or the error.
    typealias Outcome = Result<String?, any Error>

    private let outcome = Mutex<Outcome?>(nil)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)
    private let isGivenUp = Atomic<Bool>(false)

    /// Begins to write; on the calling thread if no other can be made.
    init(_ session: Session, to path: String) {
        do throws(SystemError) {
            let started = try LinuxSystem.Thread(name: "keep") { [self] in write(session, path) }
            thread.withLock { $0 = started }
        } catch {
            write(session, path)
        }
    }

    private func write(_ session: Session, _ path: String) {
        let result = Outcome { try session.keep(at: path) { !isGivenUp.load(ordering: .relaxed) } }
        outcome.withLock { $0 = result }
    }

    /// True once it has been written, or could not be.
    var isOver: Bool { outcome.withLock { $0 != nil } }

    /// Gives the write up, unless it is nearly over, because a newer one follows; the former file stays until then.
    func giveUp() {
        isGivenUp.store(true, ordering: .relaxed)
        thread.withLock { $0?.join() }
    }

    /// Waits for the end.
    ///
    /// Call it only once, and not after `giveUp`.
    func end() throws -> String? {
        thread.withLock { $0?.join() }
        return try outcome.withLock { try $0?.get() ?? nil }
    }
}
