// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Saves the session into a file, so that `--resume` works after any end of the command. Main thread.

import Console
import Control
import LinuxSystem
import PluginHosting

/// Writes a session to its file after changes, at most once a second, without holding up the command.
struct SessionAutosave: ~Copyable {
    private static let interval: UInt64 = 1_000_000_000
    /// The pause after a failure, in nanoseconds.
    private static let pause: UInt64 = 5_000_000_000

    /// The path of the file; nil if the session is not kept.
    private var path: String?
    private var kept: Session.Change?
    /// The change that was written before `kept`.
    private var former: Session.Change?
    /// The write that is under way; nil without one.
    private var writing: SessionWriting?
    private var due: UInt64 = 0
    /// The message about the last failure; nil after a success.
    private var failure: String?
    /// True once a message has said that the file has no seal.
    private var hasToldOfSeal = false
    /// The lock of the file; nil before the first write.
    private var lock: SessionLock?

    /// Keeps sessions for the command of this name; nil if it cannot be resumed.
    init(_ command: String?) { path = command.flatMap(Self.path) }

    /// The path of a command's file; nil if there is no folder for it.
    static func path(of command: String) -> String? {
        Installation.current.stateFolder.map { "\($0)/\(command).json" }
    }

    /// True if the session has changed since the last write, or while it is being written.
    func isDue(_ session: Session) -> Bool {
        path != nil && session.isWorthKeeping && (writing != nil || session.change != kept)
    }

    private mutating func takeLock(_ path: String) -> Bool {
        if lock == nil { lock = SessionLock(besides: path) }
        return lock != nil
    }

    /// Writes the session as it is now, on a thread of its own; the last call waits for it.
    ///
    /// After a failure, such as that of a full disk, it prints the reason once and tries again every five seconds. The last call does not
    /// wait for those, and prints its own failure.
    mutating func save(_ session: Session, isLast: Bool = false) {
        if let writing, isLast, session.change != kept {
            // The last write reports what concerns both.
            writing.giveUp()
            self.writing = nil
        } else if let writing, isLast || writing.isOver {
            finish(writing, isLast: isLast)
        }
        let now = MonotonicClock.now()
        guard writing == nil, let path, isLast || now >= due, isDue(session) else { return }
        (due, former, kept) = (now + Self.interval, kept, session.change)
        guard takeLock(path) else {
            Terminal.printError(
                "Another command keeps its chain in \"\(path)\", so this one's is not kept for --resume. "
                    + "Give each `bulkhead live` a --name of its own.")
            self.path = nil
            return
        }
        let begun = SessionWriting(session, to: path)
        if isLast { finish(begun, isLast: true) } else { writing = begun }
    }

    private mutating func finish(_ begun: SessionWriting, isLast: Bool) {
        writing = nil
        do {
            let complaint = try begun.end()
            if let complaint, !hasToldOfSeal { Terminal.printError(complaint) }
            hasToldOfSeal = complaint != nil
            if failure != nil { Terminal.printError("The chain is kept for --resume again, in \"\(path ?? "")\".") }
            failure = nil
        } catch {
            (due, kept) = (MonotonicClock.now() + Self.pause, former)
            let reason = Terminal.sentence(of: error)
            if reason != failure || isLast { Terminal.printError(reason) }
            failure = reason
        }
    }
}
